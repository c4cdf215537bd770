import assert from 'node:assert/strict';
import { findUnclosed, findUnquotedVariables } from '../../src/config/unclosed.js';

describe('findUnclosed', () => {
  it('finds what is not closed', () => {
    for (const [text, ...expected] of [
      ['a: [1, 2]\nb: {c: "d"}'],
      ["a: 'it''s'\nb: \"\\\"\""],
      ['a: [1, 2\nb: 3', '3 ]'],
      ['a: [1\nb: {c: 1\nd: 2', '3 ]', '9 }'],
      ['{"a": [1, 2}', '6 ]'],
      ['a: [{b: 1]\nc: 2', '4 }'],
      ['a: "x\nb: 1', '3 "'],
      ["a: {b: 'x}\n", "7 '"],
      ["a: '", "3 '"],
      ['"', '0 "'],
      ['[', '0 ]'],
      ['? [a\n: 1', '2 ]'],
      ['- [a]\n- {b: [1}', '12 ]'],
      ['[[1, 2], [3', '9 ]'],
      [''],
      ['a: # nothing\n'],
    ] as const)
      assert.deepEqual(
        findUnclosed(text).map(({ offset, close }) => `${offset} ${close}`),
        expected,
        text,
      );
  });

  it('names the character that opens and the one that is missing', () => {
    for (const [text, open, close] of [
      ['[', '[', ']'],
      ['{', '{', '}'],
      ['"', '"', '"'],
      ["'", "'", "'"],
    ])
      assert.deepEqual(findUnclosed(text!), [{ offset: 0, open, close }]);
  });
});

describe('findUnquotedVariables', () => {
  it('finds variables in brackets and braces, and no others', () => {
    assert.deepEqual(findUnquotedVariables('a: { b: ${X}, c: "${Y}" }\n'), [8]);
    assert.deepEqual(findUnquotedVariables('a: [${X}]\n'), [4]);
    assert.deepEqual(findUnquotedVariables('a: ${X}\nb: x${Y}\n'), []);
    assert.deepEqual(findUnquotedVariables('a: [${X}]\nb: [${Y}]\n'), [4, 14]);
    assert.deepEqual(findUnquotedVariables('a: [x$, {}]\n'), []);
    assert.deepEqual(findUnquotedVariables(''), []);
  });
});
