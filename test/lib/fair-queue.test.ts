import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FairQueue } from '../../src/lib/fair-queue.js';

describe('FairQueue', () => {
  it('serves the owners in turn, and the items of an owner in their order', () => {
    const queue = new FairQueue<string>({ maxItems: 10, maxItemsPerOwner: 10 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item);
    const taken = Array.from({ length: 7 }, () => queue.take());
    assert.deepEqual(taken, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  it('refuses items beyond its bounds', () => {
    const queue = new FairQueue<number>({ maxItems: 3, maxItemsPerOwner: 2 });
    assert.deepEqual(
      [queue.add('a', 1), queue.add('a', 2), queue.add('a', 3), queue.add('b', 4), queue.add('c', 5)],
      [true, true, false, true, false],
    );
    assert.equal(queue.size, 3);
  });

  it('removes an item that waits', () => {
    const queue = new FairQueue<string>({ maxItems: 10, maxItemsPerOwner: 10 });
    queue.add('a', 'a1');
    queue.add('a', 'a2');
    const found = [queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('b', 'a2')];
    assert.deepEqual(found, [true, false, false]);
    assert.deepEqual([queue.take(), queue.take(), queue.size], ['a2', undefined, 0]);
  });

  it('returns every item once, and never one owner twice while another waits', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (owners) => {
        const queue = new FairQueue<string>({ maxItems: Infinity, maxItemsPerOwner: Infinity });
        for (const owner of owners) queue.add(owner, owner);
        const taken: string[] = [];
        for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
        assert.deepEqual([...taken].sort(), [...owners].sort());
        taken.forEach((owner, at) => {
          const others = new Set(taken.slice(at)).size > 1;
          if (others) assert.notEqual(taken[at + 1], owner);
        });
      }),
    );
  });
});
