import assert from 'node:assert/strict';
import { hasUnsafeInteger, originalText } from '../../../plugins/itential-adapter/original-text.js';

describe('originalText', () => {
  it('returns the text only for the value that it contains', () => {
    const text = ' {"id": 12345678901234567} ';
    assert.equal(originalText(text, JSON.parse(text)), text.trim());
    assert.equal(originalText(text, { id: 1 }), undefined);
    assert.equal(originalText('{', {}), undefined);
    assert.equal(originalText(undefined, {}), undefined);
  });
});

describe('hasUnsafeInteger', () => {
  it('finds an integer that may have been rounded, at any depth', () => {
    assert.equal(hasUnsafeInteger({ a: [{ b: 2 ** 53 }] }), true);
    assert.equal(hasUnsafeInteger({ a: [2 ** 53 - 1, 1.5, '12345678901234567', null] }), false);
  });
});
