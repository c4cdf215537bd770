import assert from 'node:assert/strict';
import { serializeByKey } from '../../../src/core/lib/serialize-by-key.js';

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
