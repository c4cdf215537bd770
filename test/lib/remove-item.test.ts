import assert from 'node:assert/strict';
import { removeItem } from '../../src/lib/remove-item.js';

describe('the removal of an item from a list', () => {
  for (const [item, rest] of [
    ['a', ['b', 'c']],
    ['b', ['a', 'c']],
    ['c', ['a', 'b']],
  ] as const)
    it(`keeps the order of the others without ${item}`, () => {
      const items = ['a', 'b', 'c'];
      assert.equal(removeItem(items, item), true);
      assert.deepEqual(items, rest);
    });

  it('removes one of two equal items', () => {
    const items = ['a', 'b', 'a'];
    assert.equal(removeItem(items, 'a'), true);
    assert.deepEqual(items, ['b', 'a']);
  });

  it('changes nothing for an item that the list does not have', () => {
    const items = ['a'];
    assert.equal(removeItem(items, 'b'), false);
    assert.deepEqual(items, ['a']);
  });
});
