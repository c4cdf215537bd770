import assert from 'node:assert/strict';
import { fixedKeys, type KeySource, shareKeys } from '../../src/auth/issuer.js';

describe('shareKeys', () => {
  it('opens one source for each name and closes it after its last user', async () => {
    const shared = shareKeys();
    const closed: number[] = [];
    let opened = 0;
    const open = (): KeySource => {
      opened += 1;
      const number = opened;
      return { ...fixedKeys([]), close: () => Promise.resolve(void closed.push(number)) };
    };
    const [first, second, other] = [
      shared.acquire('a', open),
      shared.acquire('a', open),
      shared.acquire('b', open),
    ];
    assert.equal(opened, 2);
    assert.equal(first.current(), second.current());
    await first.close();
    await first.close();
    assert.deepEqual(closed, []);
    await Promise.all([second.close(), other.close()]);
    assert.deepEqual(closed, [1, 2]);
    shared.acquire('a', open);
    assert.equal(opened, 3);
  });
});
