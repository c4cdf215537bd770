import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileLinearPattern, UnsupportedPattern } from '../../../src/json-schema/engine/ecma-pattern.js';
import { compileSimplePattern } from '../../../src/json-schema/engine/simple-pattern.js';

/** Number of random patterns. */
const RUNS = 3000;

const members = fc.array(
  fc.oneof(
    fc.constantFrom('a-c', '0-9', 'a', 'b', '1', '-', '.', ' ', '$', '~', '/', '+', '`', '&'),
    fc.constantFrom('\\d', '\\w', '\\-', '\\]', '\\\\', '\\.', 'x-z', 'z-x', '\\d-z', 'a-z-9'),
  ),
  { minLength: 1, maxLength: 4 },
);
const characters = fc.oneof(
  members.map((list) => `[${list.join('')}]`),
  fc.constantFrom('a', 'b', '1', ' ', '-', '/', '~', '@', '\\d', '\\w', '\\.', '\\$', '\\\\', '\\/', '\\]'),
  fc.constantFrom('.', '(a)', '|', '^', '$', '\\s', '\\b', ']', '}', '*', '+', '?'),
  fc.constantFrom('.', '(a)', '|', '^', '$', '\\s', '\\b', ']', '}', '*', '+', '?'),
);
const repeat = fc.constantFrom('', '', '', '+', '*', '?', '{2}', '{0}', '{1,2}', '{2,}', '{2,1}', '{0,3}');
const pattern = fc
  .array(fc.tuple(characters, repeat), { maxLength: 5 })
  .map((parts) => `^${parts.map((part) => part.join('')).join('')}$`);

const texts = fc.array(
  fc.string({
    unit: fc.constantFrom(...Array.from('aabbcxyz019 -._$~/+`&@\\]\n\u00e9\u{1f600}\ud800')),
    maxLength: 8,
  }),
  { minLength: 20, maxLength: 20 },
);

describe('compileSimplePattern()', () => {
  it('accepts the same texts as RE2, and no pattern that RE2 refuses', () => {
    let simple = 0;
    fc.assert(
      fc.property(pattern, texts, (source, list) => {
        const compiled = compileSimplePattern(source);
        if (!compiled) return;
        simple += 1;
        const linear = compileLinearPattern(source);
        for (const text of list) assert.equal(compiled.test(text), linear.test(text), JSON.stringify(text));
      }),
      { numRuns: RUNS },
    );
    assert.ok(simple > RUNS / 10, `only ${simple} patterns were simple`);
  });

  it('accepts patterns in which each part is followed by other characters', () => {
    for (const source of ['^[a-z]+$', '^\\d+\\.\\d+$', '^[a-z][a-z0-9-]{0,62}$', '^a?b*c+$', '^$'])
      assert.ok(compileSimplePattern(source), source);
  });

  it('leaves to RE2 what the engine of JavaScript could match in several ways', () => {
    for (const source of [
      ...['^a*a*$', '^a+a$', '^a*b?a*$', '^[a-c]+[c-e]$', '^\\d*\\w$', '^\\w+\\d+$', '^a{1,3}b*a$'],
      ...['^(a+)+$', '^(a|a)*$', '^.*$', '^[^a]*$', 'a+$', '^a+', '^a|b$', '^a+?$', '^a++$', '^\\s+$'],
    ])
      assert.equal(compileSimplePattern(source), undefined, source);
  });

  it('leaves to RE2 what is long, not ASCII, or invalid', () => {
    for (const source of [
      `^${'a'.repeat(99)}$`,
      '^\u00e9$',
      '^[z-a]$',
      '^a{2,1}$',
      '^[\\d-z]$',
      '^[]$',
      '^[[a]$',
      '^a{1000}$',
    ])
      assert.equal(compileSimplePattern(source), undefined, source);
    assert.throws(() => compileLinearPattern('^[z-a]$'), UnsupportedPattern);
  });
});
