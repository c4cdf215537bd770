import assert from 'node:assert/strict';
import fc from 'fast-check';
import { validatorOf } from '../json-schema/engine/validator-of.js';
import { asModule, assertData, assertRefused, compileText, documentCheckOf } from '../support/yang.js';

function moduleOf(pattern: string) {
  return asModule(
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
    ['match the whole text also with alternatives', 'a|b', ['a', 'b'], ['ax', 'xb']],
    ['treat ^ and $ as plain characters', '^a$', ['^a$'], ['a']],
    ['match the digits of all scripts with \\d', '\\d+', ['12', '٣'], ['a', '']],
    ['match words without punctuation with \\w', '[\\w-[\\d]]+', ['aé'], ['a1', 'a_b', 'a b']],
    ['subtract one class from another', '[a-z-[aeiou]]+', ['xyz'], ['xaz', '']],
    ['match only the white space of XML with \\s', '\\s+\\S', [' \t\nx'], ['\u00a0x']],
    ['support categories', '\\p{L}\\P{Lu}', ['éa', 'ab'], ['aB', '1a']],
    ['support blocks', '\\p{IsBasicLatin}+\\P{IsGreek}', ['abc'], ['é', 'aα']],
    ['support the characters of XML names', '\\i\\c*', ['a-b.1', '_x', ':'], ['1a', '-a', 'a b']],
    ['support all characters except those of XML names', '\\I\\C', ['1 '], ['a ', '1a']],
    ['accept an escaped hyphen outside a class', 'a\\-b', ['a-b'], ['a\\-b']],
    ['accept a hyphen at the ends of a class', '[-a][b-]', ['-b', 'a-'], ['ab-', 'xb']],
    ['accept a bracket in a class', '[\\[\\]a]+', ['[a]'], ['b']],
    ['match all characters except line ends with a dot', '.', ['a', '😀', '\u2028'], ['\n', '\r', '']],
    [
      'support a repeat count above a thousand',
      'a{4096}',
      ['a'.repeat(4096)],
      ['a'.repeat(4095), 'a'.repeat(4097)],
    ],
    [
      'support a repeat range up to more than a thousand',
      '(ab){2,1500}',
      ['abab', 'ab'.repeat(1500)],
      ['ab', 'ab'.repeat(1501)],
    ],
    ['support open repeat counts', 'a{2,}', ['aa', 'aaaaa'], ['a']],
    ['accept an empty branch', 'a(|b)c', ['ac', 'abc'], ['abbc']],
    ['treat escaped braces as plain characters', 'a\\{b\\}', ['a{b}'], ['ab']],
    [
      'support counts whose product is above a thousand',
      '(a{2}){600}',
      ['a'.repeat(1200)],
      ['a'.repeat(1198)],
    ],
  ] as const)
    it(what, () => {
      const documents = (values: readonly string[]) => values.map((value) => ({ 'm:x': value }));
      assertData(compileText(moduleOf(pattern)), documents(accepted), documents(refused));
    });

  it('with look-around are enforced nowhere when they are inverted', () => {
    const text = asModule(
      'leaf x { default any; type string { pattern "(?!a).*" { modifier invert-match; } } }',
    );
    const module = compileText(text);
    assert.match(module.warnings[0]?.message ?? '', /looks around.*not enforced/);
    assertData(module, [{ 'm:x': 'any' }, { 'm:x': 'text' }]);
    assert.equal(validatorOf(module.schema).validate({ 'm:x': 'text' }).outcome, 'valid');
    assert.deepEqual(documentCheckOf([text])({ 'm:x': 'text' }), []);
  });

  for (const [what, pattern, expected] of [
    ['with look-around', '(?!a).*', /looks around.*not enforced/],
    ['with counts that need too large an automaton', '((a{1000}){1000}){1000}', /more than 100000 states/],
    ['that are too long', `(${'abc|'.repeat(20_000)}d)`, /longer than 65536 characters/],
  ] as const)
    it(`${what} are kept in x-yang-pattern, with a warning`, () => {
      const module = compileText(moduleOf(pattern));
      assert.match(module.warnings[0]?.message ?? '', expected);
      assert.ok(JSON.stringify(module.schema).includes('"x-yang-pattern"'));
      assert.equal(validatorOf(module.schema).validate({ 'm:x': 'any text' }).outcome, 'valid');
    });

  it('contain no repeat count above a thousand in the schema', () => {
    const counts = [...patternOf('[a-z]{1001,5000}x{3,4096}').matchAll(/\d+(?=[,}])/g)].map(([count]) =>
      Number(count),
    );
    assert.ok(counts.length > 4 && counts.every((count) => count <= 1000), counts.join());
  });

  it('are refused', () => {
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
      ['('.repeat(200), /too many groups/],
    ] as const)
      assertRefused([moduleOf(pattern)], expected);
  });

  it('are valid in ECMAScript for any composition (property)', () => {
    const parts = String.raw`a - [a-c] [^x] \d \w \. . (b|c) [\i-[:]] \- / # ^ $ "`;
    const part = fc.constantFrom(...parts.split(' '), ' ');
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
