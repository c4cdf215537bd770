import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isoTime } from '../../src/lib/iso-time.js';

describe('isoTime', () => {
  it('returns the text of Date for times in any order, with fractions and outside the usual years', () => {
    const near = fc.double({ min: -2_000, max: 2_000, noNaN: true });
    const any = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(near, any, fc.constantFrom(0, 999.9, -1001, 8.64e15))), (times) => {
        for (const time of times) assert.equal(isoTime(time), new Date(time).toISOString(), String(time));
      }),
    );
  });

  it('refuses a number that is no time, and returns the next time correctly', () => {
    for (const time of [NaN, Infinity, 8.64e15 + 1000]) assert.throws(() => isoTime(time), RangeError);
    assert.equal(isoTime(1), '1970-01-01T00:00:00.001Z');
  });
});
