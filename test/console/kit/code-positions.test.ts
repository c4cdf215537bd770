import assert from 'node:assert/strict';
import { type TextPosition, pointerAt, rangeOf } from '../../../console/src/kit/code-positions.js';

const TEXT = `{
  "a": { "b/c": [1, { "d": true }] },
  "e": "x"
}`;

describe('positions in a text', () => {
  const wordAt = (place: TextPosition, text = TEXT): string => {
    const { from, to } = rangeOf(text, place);
    return text.slice(from, to);
  };

  it('finds the name of a member and the value of a list entry', () => {
    assert.equal(wordAt({ pointer: '/e' }), '"e"');
    assert.equal(wordAt({ pointer: '/a/b~1c' }), '"b/c"');
    assert.equal(wordAt({ pointer: '/a/b~1c/0' }), '1');
    assert.equal(wordAt({ pointer: '/a/b~1c/1/d' }), '"d"');
  });

  it('finds the nearest ancestor of a missing member', () => {
    assert.equal(wordAt({ pointer: '/a/b~1c/1/none/at/all' }), '{');
    assert.equal(wordAt({ pointer: '/none' }), '{');
  });

  it('finds a word by line and column', () => {
    assert.equal(wordAt({ line: 2, column: 5 }, 'one\n  leaf mtu;'), 'af');
    assert.equal(wordAt({ line: 2, column: 8 }, 'one\n  leaf mtu;'), 'mtu');
    assert.equal(wordAt({ line: 9 }, 'one'), 'one');
  });

  it('finds the value at the cursor, also in an incomplete text', () => {
    assert.equal(pointerAt(TEXT, TEXT.indexOf('true')), '/a/b~1c/1/d');
    assert.equal(pointerAt(TEXT, TEXT.indexOf('"x"')), '/e');
    assert.equal(pointerAt(TEXT, 0), '');
    assert.equal(pointerAt('{"a": {"b": 1', 12), '/a/b');
    assert.equal(pointerAt('', 0), '');
  });
});
