import fc from 'fast-check';
import assert from 'node:assert/strict';
import { assertData, assertRefused, compileText, yang11 } from '../support/yang.js';

function moduleOf(pattern: string) {
  return yang11(
    'm',
    `leaf x { type string { pattern "${pattern.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"; } }`,
  );
}

function patternOf(pattern: string): string {
  const { schema } = compileText(moduleOf(pattern));
  const leaf = (schema['properties'] as Record<string, Record<string, unknown>>)['m:x'];
  return String(leaf?.['pattern']);
}

describe('patterns', () => {
  for (const [what, pattern, accepted, refused] of [
    ['match the whole text', 'ab', ['ab'], ['xab', 'abx', 'ab\n']],
    ['match the whole text with alternatives as well', 'a|b', ['a', 'b'], ['ax', 'xb']],
    ['have ^ and $ as plain characters', '^a$', ['^a$'], ['a']],
    ['have the digits of all scripts', '\\d+', ['12', '٣'], ['a', '']],
    ['have words without punctuation', '[\\w-[\\d]]+', ['aé'], ['a1', 'a_b', 'a b']],
    ['subtract one class from another', '[a-z-[aeiou]]+', ['xyz'], ['xaz', '']],
    ['have the white space of XML only', '\\s+\\S', [' \t\nx'], ['\u00a0x']],
    ['know categories', '\\p{L}\\P{Lu}', ['éa', 'ab'], ['aB', '1a']],
    ['know blocks', '\\p{IsBasicLatin}+\\P{IsGreek}', ['abc'], ['é', 'aα']],
    ['know the names of XML', '\\i\\c*', ['a-b.1', '_x', ':'], ['1a', '-a', 'a b']],
    ['know what is no name of XML', '\\I\\C', ['1 '], ['a ', '1a']],
    ['take an escaped hyphen outside a class', 'a\\-b', ['a-b'], ['a\\-b']],
    ['take a hyphen at the ends of a class', '[-a][b-]', ['-b', 'a-'], ['ab-', 'xb']],
    ['take a bracket in a class', '[\\[\\]a]+', ['[a]'], ['b']],
    ['let the dot match all but line ends', '.', ['a', '😀', '\u2028'], ['\n', '\r', '']],
    ['count more than a thousand', 'a{4096}', ['a'.repeat(4096)], ['a'.repeat(4095), 'a'.repeat(4097)]],
    [
      'count up to more than a thousand',
      '(ab){2,1500}',
      ['abab', 'ab'.repeat(1500)],
      ['ab', 'ab'.repeat(1501)],
    ],
    ['have open counts', 'a{2,}', ['aa', 'aaaaa'], ['a']],
    ['take an empty branch', 'a(|b)c', ['ac', 'abc'], ['abbc']],
    ['take braces that are no count as they are', 'a\\{b\\}', ['a{b}'], ['ab']],
    ['look ahead, as libyang does', '(?!0)[0-9]+', ['10'], ['01']],
  ] as const)
    it(what, () => {
      const documents = (values: readonly string[]) => values.map((value) => ({ 'm:x': value }));
      assertData(compileText(moduleOf(pattern)), {
        accepted: documents(accepted),
        refused: documents(refused),
      });
    });

  it('warn when they look around, which RE2 does not', () => {
    assert.match(compileText(moduleOf('(?!a).*')).warnings[0]?.message ?? '', /looks around/);
  });

  it('never have a count above a thousand in the schema', () => {
    const counts = [...patternOf('[a-z]{1001,5000}x{3,4096}').matchAll(/\d+(?=[,}])/g)].map(([count]) =>
      Number(count),
    );
    assert.ok(counts.length > 4 && counts.every((count) => count <= 1000), counts.join());
  });

  for (const [pattern, expected] of [
    ['a{2,1}', /wrong order/],
    ['[z-a]', /wrong order/],
    ['[]', /a class needs a character/],
    ['a**', /repeats nothing/],
    ['(a', /a "\)" is missing/],
    ['a)', /"\)" is not expected/],
    ['a]', /closes nothing/],
    ['\\p{Nope}', /names no category or block/],
    ['\\q', /means nothing in XSD/],
    ['[a', /ends too early/],
    ['a{999999999}', /exceed 256 KB/],
    ['('.repeat(200), /too many groups/],
  ] as const)
    it(`refuse ${pattern.slice(0, 12)}`, () => {
      assertRefused([moduleOf(pattern)], expected);
    });

  it('are valid for ECMAScript, whatever they are made of (property)', () => {
    const part = fc.constantFrom(
      'a',
      '-',
      '[a-c]',
      '[^x]',
      '\\d',
      '\\w',
      '\\.',
      '.',
      '(b|c)',
      '[\\i-[:]]',
      '\\-',
      '/',
      ' ',
      '#',
      '^',
      '$',
      '"',
    );
    const piece = fc
      .tuple(part, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}'))
      .map(([atom, count]) => atom + count);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        new RegExp(patternOf(pieces.join('')), 'u');
      }),
      { numRuns: 60 },
    );
  });
});
