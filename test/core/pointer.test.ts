import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pointerTo, pointerTokens, stringsOf, valueAt, withValues } from '../../src/core/pointer.js';

describe('JSON pointers', () => {
  it('lead back to the tokens they were made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        assert.deepEqual(pointerTokens(tokens.reduce<string>(pointerTo, '')), tokens);
      }),
    );
  });

  it('find every string where stringsOf says it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (document) => {
        for (const { pointer, text } of stringsOf(document)) assert.equal(valueAt(document, pointer), text);
      }),
    );
  });

  it('see own members only', () => {
    assert.equal(valueAt({}, '/constructor'), undefined);
    assert.equal(valueAt([], '/length/x'), undefined);
  });

  it('replace values in a copy', () => {
    const before = { a: [{ b: 'x' }], 'c/d': 'y' };
    const after = withValues(before, new Map([['/a/0/b', 1], ['/c~1d', 2]])); // prettier-ignore
    assert.deepEqual(after, { a: [{ b: 1 }], 'c/d': 2 });
    assert.deepEqual(before, { a: [{ b: 'x' }], 'c/d': 'y' });
  });
});
