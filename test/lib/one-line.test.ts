import assert from 'node:assert/strict';
import { oneLine } from '../../src/lib/one-line.js';

describe('oneLine', () => {
  it('joins the lines of a text', () => {
    assert.equal(oneLine(' a\r\n\tb  c ', 100), 'a b c');
  });

  it('cuts a long text before the last word, which could be half a secret', () => {
    assert.equal(oneLine('the token abcdef is wrong', 13), 'the token');
    assert.equal(oneLine('x'.repeat(20), 10), '');
    assert.equal(oneLine('字'.repeat(20), 10), '字'.repeat(10));
  });
});
