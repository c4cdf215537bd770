import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pointerTo, pointerTokens, stringsOf, valueAt, withValues } from '../../src/json/pointer.js';

describe('JSON pointers', () => {
  it('are split into the tokens that they were built from', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        assert.deepEqual(pointerTokens(tokens.reduce<string>(pointerTo, '')), tokens);
      }),
    );
  });

  it('lead to every string that stringsOf returns', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (document) => {
        for (const { pointer, text } of stringsOf(document)) assert.equal(valueAt(document, pointer), text);
      }),
    );
  });

  it('reach own members only', () => {
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
