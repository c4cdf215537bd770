import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileSchema } from '../../src/json-schema/engine/index.js';
import { validatorOf } from '../json-schema/engine/validator-of.js';
import { compileBody } from '../support/yang.js';

/** Ascending bounds as the argument of a `range` or `length`. */
function boundsUpTo(maximum: number): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: maximum }), { minLength: 2, maxLength: 6 })
    .map((bounds) => bounds.sort((a, b) => a - b))
    .map((bounds) =>
      bounds.flatMap((from, at) => (at % 2 === 0 ? [`${from}..${bounds[at + 1] ?? from}`] : [])).join(' | '),
    );
}

const pattern: fc.Arbitrary<string> = fc.letrec<{ part: string; pattern: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', '[a-z-[aeiou]]', '\\d', '\\i', '\\p{IsGreek}', '.', '^', '$', '\\-', '(?!b)'),
    tie('pattern').map((inner) => `(${inner})`),
  ),
  pattern: fc
    .array(
      fc.tuple(tie('part'), fc.constantFrom('', '*', '+', '{2}', '{600}', '{3,1500}', '{9,}', '{0,9000}')),
      { minLength: 1, maxLength: 3 },
    )
    .map((pieces) => pieces.map((piece) => piece.join('')).join('')),
})).pattern;

const type: fc.Arbitrary<string> = fc.letrec<{ leaf: string; type: string }>((tie) => ({
  leaf: fc.oneof(
    boundsUpTo(5000).map((length) => `type binary { length "${length}"; }`),
    boundsUpTo(70_000).map((length) => `type string { length "${length}"; }`),
    fc.array(pattern, { minLength: 1, maxLength: 3 }).map((patterns) => `type string { ${patterns.map((text) => `pattern '${text}';`).join(' ')} }`), // prettier-ignore
    boundsUpTo(65_535).map((range) => `type uint16 { range "${range}"; }`),
    boundsUpTo(2 ** 40).map((range) => `type int64 { range "${range}"; }`),
    boundsUpTo(2 ** 20).map((range) => `type decimal64 { fraction-digits 4; range "${range}"; }`),
    fc.constantFrom('boolean', 'empty', 'instance-identifier').map((name) => `type ${name};`),
    fc.constant('type bits { bit a.b; bit c; }'),
    fc.constant('type enumeration { enum "a b"; enum c; }'),
  ),
  type: fc.oneof({ maxDepth: 2 }, tie('leaf'), fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((members) => `type union { ${members.join(' ')} }`)), // prettier-ignore
})).type;

/** Values of each JSON type. */
const VALUES = [null, true, 1, 1.5, '', 'a', 'ab', 'AAAA', '1', '1.5', [null], {}, ['a']];

describe('the validator on converted YANG', () => {
  for (const [what, text] of [
    ['a length of 753 octets', 'type binary { length "0..753"; }'],
    ['a length of 3,002 octets', 'type binary { length "1..3002"; }'],
    ['counts that multiply above a thousand', "type string { pattern '(a{2}){600}'; }"],
    ['a pattern of 5,000 characters', `type string { pattern '${'(abcd|efgh)'.repeat(450)}'; }`],
  ] as const)
    it(`accepts the schema of ${what}`, () => {
      validatorOf(compileBody(`leaf x { ${text} }`).schema);
    });

  it('accepts the schema of every type, and validates with it (property)', () => {
    fc.assert(
      fc.property(type, (statement) => {
        const { schema } = compileBody(`leaf x { ${statement} }`);
        const compiled = compileSchema(schema);
        if (!('validator' in compiled)) assert.fail(JSON.stringify(compiled.faults));
        for (const value of VALUES)
          assert.notEqual(compiled.validator.validate({ 'm:x': value }).outcome, 'out of fuel');
      }),
      { numRuns: 60 },
    );
  });
});
