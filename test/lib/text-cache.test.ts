import assert from 'node:assert/strict';
import { TextCache } from '../../src/lib/text-cache.js';

describe('TextCache', () => {
  it('evicts the least recently used text when the total size exceeds the limit', () => {
    const cache = new TextCache(10);
    cache.put('a', 'aaaa');
    cache.put('b', 'bbbb');
    assert.equal(cache.get('a'), 'aaaa');
    cache.put('c', 'cccc');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.get(key)),
      ['aaaa', undefined, 'cccc'],
    );
  });

  it('counts a text once when it is stored again', () => {
    const cache = new TextCache(10);
    for (let times = 0; times < 5; times += 1) cache.put('a', 'aaaa');
    cache.put('b', 'bbbb');
    assert.equal(cache.get('a'), 'aaaa');
  });

  it('does not store a text above the limit', () => {
    const cache = new TextCache(3);
    cache.put('a', 'aa');
    cache.put('b', 'bbbb');
    assert.deepEqual([cache.get('a'), cache.get('b')], ['aa', undefined]);
  });
});
