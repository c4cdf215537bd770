import assert from 'node:assert/strict';
import { linesIn } from '../../src/lib/byte-lines.js';

const linesOf = (text: string): readonly string[] =>
  [...linesIn(Buffer.from(text))].map((line) => line.toString());

describe('linesIn', () => {
  it('returns the lines of a text, with or without a line break at its end', () => {
    assert.deepEqual(linesOf(''), []);
    assert.deepEqual(linesOf('é'), ['é']);
    assert.deepEqual(linesOf('a\n\u2028\n'), ['a', '\u2028']);
    assert.deepEqual(linesOf('a\n\nb'), ['a', '', 'b']);
  });

  it('copies nothing', () => {
    const bytes = Buffer.from('a\nb');
    assert.ok([...linesIn(bytes)].every(({ buffer }) => buffer === bytes.buffer));
  });
});
