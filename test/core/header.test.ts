import assert from 'node:assert/strict';
import fc from 'fast-check';
import { headerNamePattern, isHeaderName, isHeaderValue, isOwnHeader } from '../../src/core/header.js';

describe('header names and values', () => {
  const pattern = new RegExp(headerNamePattern(['cookie']), 'u');

  it('match the name pattern exactly when the name is valid, not reserved and not excluded', () => {
    const names = fc.oneof(
      fc.string(),
      fc.mixedCase(
        fc.constantFrom(...'host te cookie proxy-x x-forwarded-for x-own tea cookies forwarded'.split(' ')),
      ),
    );
    fc.assert(
      fc.property(names, (name) => {
        const free = isHeaderName(name) && !isOwnHeader(name) && name.toLowerCase() !== 'cookie';
        assert.equal(pattern.test(name), free, name);
      }),
    );
  });

  it('accept no line break, no control character and no character beyond Latin-1', () => {
    for (const value of ['a\r\nb', 'a\nb', 'a\0', 'a\x7f', 'ā', '\u2028'])
      assert.equal(isHeaderValue(value), false);
    for (const value of ['', 'a b', 'a\tb', 'é']) assert.equal(isHeaderValue(value), true);
  });
});
