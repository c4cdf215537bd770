import assert from 'node:assert/strict';
import { isoTime } from '../../../src/core/lib/iso-time.js';

describe('isoTime', () => {
  it('returns the text of Date for times in any order, with fractions and outside the usual years', () => {
    const day = Date.UTC(2026, 0, 2, 3, 4, 5);
    const times = [
      0,
      1,
      999,
      1000,
      999.9,
      -0.5,
      -1,
      -1000,
      -1001,
      day,
      day + 7,
      day + 70,
      day - 1,
      day + 700.5,
    ];
    for (const time of [...times, ...times.toReversed(), 8.64e15, -8.64e15, Date.UTC(12_345, 0)])
      assert.equal(isoTime(time), new Date(time).toISOString(), String(time));
  });

  it('refuses a number that is no time, and returns the next time correctly', () => {
    for (const time of [NaN, Infinity, 8.64e15 + 1000]) assert.throws(() => isoTime(time), RangeError);
    assert.equal(isoTime(1), '1970-01-01T00:00:00.001Z');
  });
});
