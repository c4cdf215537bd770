import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_AUTOMATON_SIZE, splitRepeats } from '../../src/lib/pattern-repeats.js';

function sourceOf(pattern: string): string {
  const split = splitRepeats(pattern);
  return 'source' in split ? split.source : assert.fail(split.refused);
}

describe('splitRepeats', () => {
  it('writes repeats of each kind', () => {
    for (const [pattern, expected] of [
      ['^a{3}b{2,5}$', '^a{3}b{2,5}$'],
      ['(?:x{4}){0,251}', '(?:(?:x{4}){0,250}(?:x{4}){0,1})'],
      ['(a{2}){600}', '(?:(a{2}){500}(a{2}){100})'],
      ['a{1001,}', '(?:a{1000}a{1}a*)'],
      ['a{1,1002}?', '(?:a{1}a{0,1000}?a{0,1}?)'],
      ['(?<n>a{2}){3}', '(?:a{2}){3}'],
      ['\\{2}[{3}]\\p{L}{2}', '\\{2}[{3}]\\p{L}{2}'],
      ['a{3,2}', 'a{3,2}'],
      ['a{2})b{3}', 'a{2})b{3}'],
    ] as const)
      assert.equal(sourceOf(pattern), expected, pattern);
  });

  for (const [what, pattern, reason] of [
    ['a pattern with too large an automaton', '(a{1000}){1000}', /automaton of more than 100000 states/],
    ['a pattern that is too long', 'a'.repeat(70_000), /longer than 65536 characters/],
    ['a pattern whose parts are too long together', `(${'ab'.repeat(40)}c{900}){2000}`, /more than/],
    ['groups that are nested too deeply', `${'('.repeat(1200)}a{2}`, /more than 1000 groups/],
  ] as const)
    it(`refuses ${what}`, () => {
      const split = splitRepeats(pattern);
      assert.match('refused' in split ? split.refused : '', reason);
    });

  it('keeps the meaning of every pattern (property)', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '\\d', '(?:ab)', '(b|a)');
    const count = fc.constantFrom('', '*', '+', '?', '{2}', '{0,3}', '{1,}', '{3,4}?');
    const pattern = fc
      .array(fc.tuple(atom, count), { minLength: 1, maxLength: 4 })
      .map((pieces) => `^(?:${pieces.map((piece) => piece.join('')).join('')}){1,3}$`);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab1]{0,12}$/), (source, text) => {
        assert.equal(new RegExp(sourceOf(source), 'u').test(text), new RegExp(source, 'u').test(text));
      }),
    );
  });

  it('needs no more than the maximum of states', () => {
    assert.ok('source' in splitRepeats(`a{${MAX_AUTOMATON_SIZE}}`));
    assert.ok('refused' in splitRepeats(`a{${MAX_AUTOMATON_SIZE + 1}}`));
  });
});
