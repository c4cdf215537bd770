import assert from 'node:assert/strict';
import { BoundedMap } from '../../src/lib/bounded-map.js';

describe('BoundedMap', () => {
  it('evicts the least recently used entry beyond its maximum', () => {
    const map = new BoundedMap<string, number>({ maxEntries: 50 });
    for (let at = 0; at < 50; at += 1) map.set(`k${at}`, at);
    assert.equal(map.get('k0'), 0);
    map.set('k50', 50);
    assert.deepEqual([map.get('k0'), map.get('k1'), map.get('k50'), map.size], [0, undefined, 50, 50]);
  });

  it('evicts entries until their total weight is within the maximum', () => {
    const map = new BoundedMap<string, number>({ maxEntries: 50, maxWeight: 2_000_000 });
    map.set('a', 1, 1_500_000);
    map.set('b', 2, 400_000);
    map.set('c', 3, 200_000);
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [undefined, 2, 3]);
    map.set('huge', 4, 3_000_000);
    assert.deepEqual([map.size, map.get('huge')], [0, undefined]);
    map.set('d', 5, 2_000_000);
    assert.equal(map.get('d'), 5);
  });

  it('counts the weight of a replaced or deleted entry no longer', () => {
    const map = new BoundedMap<string, number>({ maxEntries: 50, maxWeight: 10 });
    map.set('a', 1, 9);
    map.set('a', 2, 4);
    map.set('b', 3, 6);
    assert.deepEqual([...map.values()], [2, 3]);
    map.delete('b');
    map.delete('absent');
    map.set('c', 4, 6);
    assert.deepEqual([...map.values()], [2, 4]);
    map.clear();
    map.set('d', 5, 10);
    assert.deepEqual([...map.values()], [5]);
  });

  it('keeps nothing with a maximum of 0', () => {
    const map = new BoundedMap<string, number>({ maxEntries: 0 });
    map.set('a', 1);
    assert.deepEqual([map.size, map.get('a')], [0, undefined]);
  });
});
