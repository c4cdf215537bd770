import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matchesPath } from '../../src/core/access.js';

describe('matchesPath', () => {
  it('matches the whole path, segment by segment', () => {
    for (const [pattern, path, expected] of [
      ['/a/b', '/a/b', true],
      ['/a/b', '/a/b/', false],
      ['/a/b', '/a/B', false],
      ['/a/b', '/a/%62', false],
      ['/a/b', '/a/b?x=/c', true],
      // Only some transports end a path at "#".
      ['/a/b', '/a/b#c', false],
      ['/a/*', '/a/b#c', false],
      ['/a/*/c', '/a/b#/c', false],
      ['/interface=*', '/interface=Gi0#1', false],
      ['/a/*', '/a/', false],
      ['/interface=*', '/interface=Gi0%2F0%2f1', true],
      ['/interface=*', '/interface=Gi0%252F1', false],
      ['/interface=*', '/interface=Gi0%5C1', false],
      ['/interface=*', '/inter%2Fface=Gi0', false],
      ['/*=x', '/a%2Fb=x', false],
      ['/a/*%2F*', '/a/b%2Fc', true],
      ['/a/*%2F*', '/a/b%2Fc%2Fd', false],
      ['/a/*;v=1', '/a/b;v=1', true],
      ['/a/**', '/a/b%2Fc', true],
      ['/a/x=*', '/a/x=', true],
      ['/a/x=*/c', '/a/x=1/c', true],
      ['/a/*=*', '/a/x=1=2', true],
      ['/a/**', '/ab', false],
      ['/a/**', '/a;p/b', false],
      ['/**', '/', true],
      ['/a', '', false],
    ] as const)
      assert.equal(matchesPath(pattern, path), expected, pattern);
  });

  it('finding F14: * matches no separator', () => {
    for (const separator of '%2F %2f %252F %25252f %5C %5c %3F %3B %23 %00 ;'.split(' ')) {
      for (const pattern of ['/sites/*', '/sites/a*', '/sites/*t', '/sites/a*t'])
        assert.equal(matchesPath(pattern, `/sites/a${separator}secret`), false, pattern);
    }
  });

  it('agrees with the equivalent regular expression (property)', () => {
    const segment = fc.stringMatching(/^[ab*]{0,3}$/).filter((text) => !text.includes('**'));
    const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { maxLength: 6 });
    const path = fc.array(fc.stringMatching(/^[ab]{0,3}$/), { maxLength: 6 });
    fc.assert(
      fc.property(pattern, path, (parts, segments) => {
        const found = matchesPath(parts.join('/'), segments.join('/'));
        assert.equal(found, reference(parts).test(toText(segments)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('matches repeated wildcards without exponential backtracking', () => {
    // A regular expression would take years and exceed the test's time limit.
    assert.equal(matchesPath(`${'/**/a'.repeat(20)}/b`, '/a'.repeat(4_000)), false);
    assert.equal(matchesPath(`/${'*a'.repeat(20)}b`, `/${'a'.repeat(8_000)}`), false);
  });
});

/** Joins the segments so that none is empty: each begins with a colon. */
function toText(segments: readonly string[]): string {
  return (segments.length === 0 ? [''] : segments).map((segment) => `:${segment}`).join('');
}

function reference(parts: readonly string[]): RegExp {
  const sources = (parts.length === 0 ? [''] : parts).map((part) => {
    if (part === '**') return '(?::[ab]*)*';
    return part === '*' ? ':[ab]+' : `:${part.replaceAll('*', '[ab]*')}`;
  });
  return new RegExp(`^${sources.join('')}$`);
}
