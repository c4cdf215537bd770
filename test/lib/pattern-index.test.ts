import assert from 'node:assert/strict';
import { encodingsOf } from '../../src/core/secret-patterns.js';
import { addTo, indexOf, maskPatterns, MAX_SLOTS, removeFrom } from '../../src/lib/pattern-index.js';

const VALUES = Array.from({ length: 50 }, (_, at) => `c4n4ry-${at}-value`);

describe('an index of patterns', () => {
  it('is small for the secrets of one adapter (bug: 64 KiB for each, twice)', () => {
    const index = indexOf(['c4n4ry-password', 'c4n4ry-token'].flatMap(encodingsOf));
    assert.ok(index.seen.length <= 4_096, `${index.seen.length} slots`);
    assert.equal(maskPatterns('a c4n4ry-token', index), 'a [redacted]');
  });

  it('finds what was added, and not what was removed, in any order', () => {
    const index = indexOf([], MAX_SLOTS);
    for (const value of VALUES) addTo(index, encodingsOf(value));
    for (const [at, value] of VALUES.entries()) {
      assert.equal(maskPatterns(value, index), '[redacted]');
      removeFrom(index, encodingsOf(value));
      assert.equal(maskPatterns(value, index), value);
      const next = VALUES[at + 1];
      if (next !== undefined) assert.equal(maskPatterns(next, index), '[redacted]');
    }
    assert.equal(index.patterns.size, 0);
  });

  it('frees the slots of what was removed', () => {
    const index = indexOf([], MAX_SLOTS);
    for (const value of VALUES) addTo(index, encodingsOf(value));
    for (const value of VALUES) removeFrom(index, encodingsOf(value));
    assert.ok(index.seen.every((slot) => slot === 0));
  });
});
