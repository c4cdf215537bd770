import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compilePattern } from '../../../src/json-schema/engine/ecma-pattern.js';

/** Texts on which patterns and engines differ. */
const TEXTS = ['', 'a', 'A', 'ab', 'aab', 'b', '0', '٣', '_', '-', ' ', '\u00a0', '\ufeff', '\u2028', '\n', '\r\n', '\t', '\v', 'é', 'É', '😀', 'x😀', '[', ']', '\\', '$', '^', '{', '\u0008', '\u0000', '\u007f', 'aa', 'a]', 'ab\n']; // prettier-ignore

function assertSame(source: string): void {
  const expected = new RegExp(source, 'u');
  const linear = compilePattern(source);
  for (const text of TEXTS)
    assert.equal(linear.test(text), expected.test(text), `${source} on ${JSON.stringify(text)}`);
}

describe('compilePattern', () => {
  const patterns = String.raw`
      ^$ ^a+$ a|b ^(?:ab)*$ ^(?<n>a) a{2} a{1,2} ^.$ ^..$ . a*? \bab\b \B \d \D \w \W \s \S ^\s$ ^\S+$
      [\d] [^\d] [\s] [^\s] [\S] [^\S] [\s\S] ^[^]$ [] [^a] [a-c] [\-a] [a\]] [[] [\[] [\b] [\w-] \t
      \v \0 \cI \x61 \u0061 \u{1F600} \ud83d\ude00 ^[😀]$ [\u{1F600}] \p{L} \P{L} \p{Letter} \p{Lu}
      \p{Uppercase_Letter} [\p{Nd}] \p{Script=Latin} \p{sc=Latin} \p{ASCII} \P{ASCII} [\p{ASCII}]
      \p{Any} \$ \^ \[ \\ \/ \.
    `
    .trim()
    .split(/\s+/);

  it('matches like ECMA-262', () => {
    for (const source of patterns) assertSame(source);
  });

  it('matches like ECMA-262 for any composition of atoms (property)', () => {
    const atom = fc.constantFrom('a', 'b', '.', '\\d', '\\s', '\\S', '\\w', '[ab]', '[^a]', '[\\s-]', '\\u00e9', '\\p{L}', '😀'); // prettier-ignore
    const times = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '*?');
    const piece = fc.tuple(atom, times).map((parts) => parts.join(''));
    const group = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('(', '(?:'))
      .map(([pieces, open]) => `${open}${pieces.join('|')})`);
    const anchors = fc.tuple(fc.constantFrom('', '^'), fc.array(fc.oneof(piece, group), { maxLength: 4 }), fc.constantFrom('', '$')); // prettier-ignore
    fc.assert(
      fc.property(anchors, ([begin, pieces, end]) => {
        assertSame(begin + pieces.join('') + end);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('refuses invalid patterns and patterns that need unbounded time, with the reason', () => {
    const refused: readonly [source: string, why: RegExp][] = [
      ['a(?=b)', /look-around \(\(\?=\)/],
      ['a(?!b)', /look-around/],
      ['(?<=a)b', /look-around/],
      ['(?<!a)b', /look-around/],
      ['(a)\\1', /back-reference \(\\1\)/],
      ['(?<n>a)\\k<n>', /back-reference/],
      ['((a{100}){100}){100}', /automaton of more than 100000 states/],
      ['\\Z', /\\Z, which is not an escape/],
      ['\\a', /\\a, which is not an escape/],
      ['(', /missing closing/],
      ['[z-a]', /invalid character class range/],
      ['\\p{Nonsense}', /invalid character class range/],
      ['\\p{constructor}', /invalid character class range/],
      ['a'.repeat(65_537), /longer than 65536/],
    ];
    for (const [source, why] of refused) assert.throws(() => compilePattern(source), why, source);
  });

  it('F1: matches 200 patterns that take exponential time in backtracking engines', () => {
    const patterns = ATOMS.flatMap((atom) => TRAPS.map((trap) => trap.replaceAll('X', atom)));
    assert.equal(patterns.length, 200);
    const texts = ['a'.repeat(60), '1'.repeat(60), 'a'.repeat(2000), 'ab '.repeat(600), '1'.repeat(2000)].map((text) => `${text}!`); // prettier-ignore
    for (const source of patterns)
      for (const text of texts) assert.equal(typeof compilePattern(source).test(text), 'boolean');
  });
});

/** Atoms that the slow patterns repeat. */
const ATOMS = ['a', '\\w', '[a-z]', '.', '\\d', '[^!]', '(?:a|b)', '\\S', '[ab ]', '(?:a?)'];

/** Overlapping repetitions: a backtracking engine tries every way to divide a text among them. */
const TRAPS = String.raw`
      ^(X+)+$ ^(X*)*$ ^(X|X)*$ ^(X|XX)+$ ^(X+)*$ ^(X+X+)+$ (X+)+b ^(X*)+$ ^((X+)+)+$ X*X*X*X*$
      ^(X?){30}X{30}$ (X+){10}!! ^(X+|X)*$ ^(?:X+)+-$ ^(X+\s?)*$ (X*)*- ^(X|X?)+$ (X{1,9})+- ^(XX?)+$
      X+X+X+-
    `
  .trim()
  .split(/\s+/);
