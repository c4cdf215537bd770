import assert from 'node:assert/strict';
import { TextCache } from '../../../src/api/services/text-cache.js';

describe('texts that are kept', () => {
  it('go when they are too much together, the least recently used first', () => {
    const kept = new TextCache(10);
    kept.put('a', 'aaaa');
    kept.put('b', 'bbbb');
    assert.equal(kept.get('a'), 'aaaa');
    kept.put('c', 'cccc');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => kept.get(key)),
      ['aaaa', undefined, 'cccc'],
    );
  });

  it('count once when they are put again', () => {
    const kept = new TextCache(10);
    for (let times = 0; times < 5; times += 1) kept.put('a', 'aaaa');
    kept.put('b', 'bbbb');
    assert.equal(kept.get('a'), 'aaaa');
  });

  it('are not kept when one alone is too long', () => {
    const kept = new TextCache(3);
    kept.put('a', 'aa');
    kept.put('b', 'bbbb');
    assert.deepEqual([kept.get('a'), kept.get('b')], ['aa', undefined]);
  });
});
