import assert from 'node:assert/strict';
import { fixedKeys, type KeySource, shareKeys } from '../../src/auth/issuer.js';

describe('key sources that outlive a reload', () => {
  it('are opened once for a name, and closed by the last who took them', async () => {
    const shared = shareKeys();
    const closed: number[] = [];
    let opened = 0;
    const open = (): KeySource => {
      opened += 1;
      const number = opened;
      return { ...fixedKeys([]), close: () => Promise.resolve(void closed.push(number)) };
    };
    const [first, second, other] = [shared.take('a', open), shared.take('a', open), shared.take('b', open)];
    assert.equal(opened, 2);
    assert.equal(first.held(), second.held());
    await first.close();
    await first.close();
    assert.deepEqual(closed, []);
    await Promise.all([second.close(), other.close()]);
    assert.deepEqual(closed, [1, 2]);
    shared.take('a', open);
    assert.equal(opened, 3);
  });
});
