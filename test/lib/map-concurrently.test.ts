import assert from 'node:assert/strict';
import { mapConcurrently } from '../../src/lib/map-concurrently.js';

describe('mapConcurrently', () => {
  it('has at most as many items in work as its limit, and keeps their order', async () => {
    let [working, most] = [0, 0];
    const doubled = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item) => {
      working += 1;
      most = Math.max(most, working);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      working -= 1;
      return item * 2;
    });
    assert.deepEqual(doubled, [10, 2, 8, 4, 6]);
    assert.equal(most, 2);
  });

  it('rejects with the first error', async () => {
    const work = (item: number) => Promise.reject(new Error(`item ${item}`));
    await assert.rejects(mapConcurrently([1, 2], 1, work), /item 1/);
  });
});
