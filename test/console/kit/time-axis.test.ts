import assert from 'node:assert/strict';
import { timeTicks } from '../../../console/src/kit/time-axis.js';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const MIDNIGHT = Date.UTC(2026, 10, 25);
const utc = (): number => 0;

describe('timeTicks', () => {
  it('returns round times: tens of minutes for an hour, midnights for a week', () => {
    const hour = { from: MIDNIGHT + 6 * HOUR + 7 * MINUTE, to: MIDNIGHT + 7 * HOUR + 7 * MINUTE };
    const found = timeTicks(hour, 8, utc).map(({ at }) => (at - MIDNIGHT) / MINUTE);
    assert.deepEqual(found, [370, 380, 390, 400, 410, 420]);
    const week = { from: MIDNIGHT + HOUR, to: MIDNIGHT + 7 * DAY + HOUR };
    const actual = timeTicks(week, 8, utc).map(({ at, isDate }) => [(at - MIDNIGHT) / DAY, isDate]);
    assert.deepEqual(
      actual,
      [1, 2, 3, 4, 5, 6, 7].map((day) => [day, true]),
    );
  });

  it('marks midnight as a date, in the time zone of the user', () => {
    const inIndia = (): number => 5.5 * HOUR;
    const ticks = timeTicks({ from: MIDNIGHT + 12 * HOUR, to: MIDNIGHT + 36 * HOUR }, 8, inIndia);
    const dates = ticks.filter(({ isDate }) => isDate).map(({ at }) => (at - MIDNIGHT) / HOUR);
    assert.deepEqual(dates, [18.5]);
  });

  it('keeps midnights at midnight when the clocks change', () => {
    const change = MIDNIGHT + 2 * DAY + HOUR;
    const offset = (at: number): number => (at < change ? 2 * HOUR : HOUR);
    const ticks = timeTicks({ from: MIDNIGHT, to: MIDNIGHT + 5 * DAY }, 8, offset);
    const dates = ticks.filter(({ isDate }) => isDate);
    assert.ok(dates.length >= 4);
    for (const { at } of dates) assert.equal((at + offset(at)) % DAY, 0);
  });
});
