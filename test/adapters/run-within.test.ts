import assert from 'node:assert/strict';
import { once } from 'node:events';
import { runWithTimeout } from '../../src/adapters/run-within.js';

describe('runWithTimeout', () => {
  it('causes no unhandled rejection when the work throws synchronously (bug: one after the timeout)', async () => {
    const stray: unknown[] = [];
    const note = (reason: unknown): void => void stray.push(reason);
    process.on('unhandledRejection', note);
    let given: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<never> => {
      given = signal;
      throw new TypeError('boom');
    };
    await assert.rejects(runWithTimeout(1, work), TypeError);
    const later = AbortSignal.timeout(5);
    await Promise.race([once(given ?? later, 'abort'), once(later, 'abort')]);
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    assert.deepEqual(stray, []);
  });

  it('rejects on timeout and on abort although the work continues', async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    await assert.rejects(runWithTimeout(1, never), /longer than 0.001 s/);
    await assert.rejects(runWithTimeout(60_000, never, AbortSignal.abort()), /it was stopped/);
  });
});
