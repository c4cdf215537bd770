import assert from 'node:assert/strict';
import { createSerialQueue, serializeByKey } from '../../src/lib/serial-queue.js';

const CALLER = { signal: new AbortController().signal };

describe('createSerialQueue', () => {
  it('runs one piece of work at a time and returns the result of each', async () => {
    const runInTurn = createSerialQueue();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    assert.deepEqual(await Promise.all([runInTurn(CALLER, work('a')), runInTurn(CALLER, work('b'))]), [
      'a',
      'b',
    ]);
    assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('continues after work that fails', async () => {
    const runInTurn = createSerialQueue();
    const failed = runInTurn(CALLER, () => Promise.reject(new Error('no')));
    const next = runInTurn(CALLER, () => Promise.resolve(1));
    await assert.rejects(failed, /no/);
    assert.equal(await next, 1);
  });

  it('skips the work of callers that disconnected (bug: a change was made long after the disconnect)', async () => {
    const runInTurn = createSerialQueue();
    const leaver = new AbortController();
    let end = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first = runInTurn(CALLER, () => gate);
    let done = false;
    const second = runInTurn(leaver, async () => {
      await Promise.resolve();
      done = true;
    });
    leaver.abort(new Error('gone'));
    end();
    await first;
    await assert.rejects(second, /gone/);
    assert.equal(done, false);
  });
});

describe('serializeByKey', () => {
  it('runs calls of one key in sequence, also after a failure, and calls of other keys concurrently', async () => {
    const begun: string[] = [];
    const gates: (() => void)[] = [];
    const work = serializeByKey(
      async (key: string, name: string) => {
        begun.push(key + name);
        await new Promise<void>((resolve) => gates.push(resolve));
        if (name === 'fails') throw new Error(name);
        return name;
      },
      (key) => key,
    );
    const first = work('a', 'fails');
    const second = work('a', 'second');
    const beside = work('b', 'beside');
    assert.deepEqual(begun, ['afails', 'bbeside']);
    gates.splice(0).forEach((open) => {
      open();
    });
    await assert.rejects(first, /fails/);
    assert.equal(await beside, 'beside');
    assert.deepEqual(begun, ['afails', 'bbeside', 'asecond']);
    gates[0]?.();
    assert.equal(await second, 'second');
  });
});
