import assert from 'node:assert/strict';
import { ValidatorCache } from '../../../src/json-schema/validator-pool/compile.js';

describe('the cache of validators', () => {
  it('keeps what was used last, and no more than its number', () => {
    const cache = new ValidatorCache<number>();
    for (let at = 0; at < 50; at += 1) cache.set(`k${at}`, at, 1);
    assert.equal(cache.get('k0'), 0);
    cache.set('k50', 50, 1);
    assert.deepEqual([cache.get('k0'), cache.get('k1'), cache.get('k50')], [0, undefined, 50]);
  });

  it('keeps no more than its size', () => {
    const cache = new ValidatorCache<number>();
    cache.set('a', 1, 1_500_000);
    cache.set('b', 2, 400_000);
    cache.set('c', 3, 200_000);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 2, 3]);
    cache.set('huge', 4, 3_000_000);
    assert.deepEqual([cache.get('b'), cache.get('huge')], [undefined, undefined]);
  });
});
