import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import { normalizeTarget, MAX_TARGET_BYTES } from '../../src/http/target.js';

const resultOf = (target: string): string => {
  try {
    normalizeTarget(target);
    return 'taken';
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.code;
  }
};

describe('normalizeTarget', () => {
  const variants: readonly (readonly [string, string])[] = [
    ['/a/b?c=d', '/a/b?c=d'],
    ['//a///b//?c=//d', '/a/b/?c=//d'],
    ['http://host/a', '/a'],
    ['HTTPS://host:1//a?b', '/a?b'],
    ['http://host', '/'],
    ['http://host?a=b', '/?a=b'],
    ['/a%2Fb/%C3%A9', '/a%2Fb/%C3%A9'],
    ['/a/../b', '/a/../b'],
    ['/a?%zz', '/a?%zz'],
  ];
  it('normalizes each form', () => {
    for (const [written, read] of variants) assert.equal(normalizeTarget(written), read, written);
  });

  it('refuses every other form', () => {
    for (const target of [
      '',
      '*',
      'a',
      'ftp://h/a',
      '/a#b',
      '/a b',
      '/a\u00e9',
      '/a\u0000',
      '/%',
      '/%f',
      '/%ff',
      '/%c0%ae',
    ])
      assert.equal(resultOf(target), 'malformed_request', JSON.stringify(target));
  });

  for (const target of ['/%00', '/a%0d%0ab', '/%7f'])
    it(`refuses the control character in ${target}`, () => {
      assert.equal(resultOf(target), 'malformed_request');
    });

  it('accepts at most 8 KiB', () => {
    assert.equal(resultOf(`/${'a'.repeat(MAX_TARGET_BYTES - 1)}`), 'taken');
    assert.equal(resultOf(`/${'a'.repeat(MAX_TARGET_BYTES)}`), 'uri_too_long');
  });

  it('is idempotent for every target that it accepts', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('/a%2eF?#\\:@.;= h\u00e9')) });
    fc.assert(
      fc.property(text, (target) => {
        if (resultOf(target) !== 'taken') return;
        const once = normalizeTarget(target);
        assert.equal(normalizeTarget(once), once);
        assert.match(once, /^\/(?!\/)/);
      }),
    );
  });
});
