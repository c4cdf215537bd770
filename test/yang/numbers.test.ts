import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalPattern, integerPattern } from '../../src/yang/json-schema/number-patterns.js';
import { decimalText } from '../../src/yang/types/value-check.js';

const INT64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const NEAR = fc.oneof(INT64, fc.bigInt({ min: -1200n, max: 1200n }));

/** Two numbers in ascending order. */
const RANGE = fc.tuple(NEAR, NEAR).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }));

describe('number patterns', () => {
  it('match exactly the integers of a range (property)', () => {
    fc.assert(
      fc.property(RANGE, NEAR, fc.bigInt({ min: -2n, max: 2n }), (range, number, step) => {
        const pattern = new RegExp(integerPattern([range]));
        for (const value of [number, range.from + step, range.to + step])
          assert.equal(
            pattern.test(String(value)),
            range.from <= value && value <= range.to,
            `${value} in ${range.from}..${range.to}`,
          );
      }),
      { numRuns: 200 },
    );
  });

  it('match exactly the decimals of a range (property)', () => {
    fc.assert(
      fc.property(
        RANGE,
        fc.integer({ min: 1, max: 18 }),
        fc.bigInt({ min: -2n, max: 2n }),
        (range, digits, step) => {
          const pattern = new RegExp(decimalPattern([range], digits));
          for (const value of [range.from + step, range.to + step, (range.from + range.to) / 2n]) {
            const within = range.from <= value && value <= range.to;
            const text = decimalText(value, digits);
            assert.equal(
              pattern.test(text),
              within,
              `${text} in ${range.from}..${range.to} of ${digits} digits`,
            );
            if (text.endsWith('.0')) assert.equal(pattern.test(text.slice(0, -2)), within, text.slice(0, -2));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are short for any range', () => {
    const widest = decimalPattern([{ from: -(2n ** 63n) + 1n, to: 2n ** 63n - 2n }], 9);
    assert.ok(widest.length < 2048, `${widest.length}`);
  });
});
