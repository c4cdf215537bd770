import assert from 'node:assert/strict';
import { type Linked, LinkedList } from '../../src/lib/linked-list.js';

interface Item extends Linked<Item> {
  readonly name: string;
}

describe('LinkedList', () => {
  const itemsOf = (names: string): Item[] =>
    Array.from(names, (name) => ({ name, earlier: undefined, later: undefined }));
  const open = (names: string) => {
    const items = itemsOf(names);
    const list = new LinkedList<Item>();
    for (const item of items) list.add(item);
    const namesNow = (): string => {
      let text = '';
      for (let item = list.first; item; item = item.later) text += item.name;
      return text;
    };
    return { list, items, namesNow };
  };

  for (const [at, left] of [
    [0, 'bc'],
    [1, 'ac'],
    [2, 'ab'],
  ] as const)
    it(`keeps the order of the others when item ${at} leaves, which then has no neighbours`, () => {
      const { list, items, namesNow } = open('abc');
      const item = items[at]!;
      assert.equal(list.remove(item), true);
      assert.deepEqual([namesNow(), list.size, item.earlier, item.later], [left, 2, undefined, undefined]);
      list.add(item);
      assert.equal(namesNow(), left + item.name);
    });

  it('returns the items of one moment, whatever leaves later', () => {
    const { list, items } = open('abc');
    const all = list.all();
    for (const item of items) list.remove(item);
    assert.deepEqual([all.map(({ name }) => name).join(''), list.all()], ['abc', []]);
  });

  it('does not remove an item that is in no list', () => {
    const { list, items, namesNow } = open('ab');
    const [first] = items;
    list.remove(first!);
    assert.deepEqual([list.remove(first!), namesNow(), list.size], [false, 'b', 1]);
  });

  it('is empty after its only item has left', () => {
    const { list, items } = open('a');
    list.remove(items[0]!);
    assert.deepEqual([list.first, list.size], [undefined, 0]);
  });
});
