import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileSchema } from '../../../src/json-schema/engine/index.js';
import { ajvVerdict } from './ajv-verdict.js';
import { type SchemaPair, PAIR_DRAFTS, pairsOf } from './pairs.js';
import { validatorOf } from './validator-of.js';

// `npm run evidence -- schema` runs more pairs.
const PAIRS = { numRuns: 200, seed: 20_260_101 };

describe('the schema engine, on generated pairs of schema and value', () => {
  for (const draft of PAIR_DRAFTS) {
    const check = (holds: (pair: SchemaPair) => void): void => {
      fc.assert(fc.property(pairsOf(draft), holds), PAIRS);
    };

    it(`agrees with Ajv (${draft.uri})`, () => {
      check((pair) => {
        const ajv = ajvVerdict(pair);
        if (ajv === undefined) return;
        assert.equal(validatorOf(pair.schema).validate(pair.data).outcome, ajv ? 'valid' : 'invalid');
      });
    });

    it(`reports the same errors at one location as in the whole value (${draft.uri})`, () => {
      check(({ schema, data }) => {
        const validator = validatorOf(schema);
        const all = { errors: 10_000, fuel: 100_000_000 };
        const wholeErrors = validator.validate(data, all).errors;
        for (const pointer of ['/a', '/0', '/1', '/ab/a', '/~0~1'])
          assert.deepEqual(
            validator
              .validateAt(data, pointer, all)
              .errors.filter(({ instancePath }) => isAtOrBelow(instancePath, pointer)),
            wholeErrors.filter(({ instancePath }) => isAtOrBelow(instancePath, pointer)),
          );
      });
    });

    it(`takes the same steps each time, and needs no more fuel than those (${draft.uri})`, () => {
      check(({ schema, data }) => {
        const { steps, outcome } = validatorOf(schema).validate(data);
        const again = compileSchema(schema);
        assert.ok('validator' in again);
        assert.deepEqual(again.validator.validate(data, { fuel: steps }).outcome, outcome);
        assert.equal(again.validator.validate(data, { fuel: steps - 1 }).outcome, 'out of fuel');
      });
    });
  }
});

function isAtOrBelow(path: string, pointer: string): boolean {
  return path === pointer || path.startsWith(`${pointer}/`);
}
