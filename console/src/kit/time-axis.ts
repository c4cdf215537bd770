import { dateFormat } from '../text/locale.js';
import type { TimeRange } from './time-range.js';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Distances between the times of an axis. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7].map((count) => count * DAY),
];

/** A time on an axis; `isDate` if the label is a date. */
interface TimeTick {
  readonly at: number;
  readonly isDate: boolean;
}

/** Returns at most `most` round times of a range, in the time zone of the user: full hours, midnights. */
export function timeTicks(
  { from, to }: TimeRange,
  most: number,
  offsetOf: (at: number) => number = zoneOffset,
): readonly TimeTick[] {
  const step = STEPS.find((length) => (to - from) / length <= most) ?? 7 * DAY;
  const ticks: TimeTick[] = [];
  for (let local = Math.ceil((from + offsetOf(from)) / step) * step; ; local += step) {
    // The clocks may change within the range.
    const at = local - offsetOf(local - offsetOf(from));
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, isDate: local % DAY === 0 });
  }
}

/** Returns the milliseconds by which the local time is ahead of UTC. */
function zoneOffset(at: number): number {
  return -new Date(at).getTimezoneOffset() * MINUTE;
}

/** Formats a time on an axis: `14:30`, or `Nov 25` at midnight. */
export function formatTick({ at, isDate }: TimeTick): string {
  return isDate ? dateFormat({ month: 'short', day: 'numeric' }).format(at) : formatClock(at);
}

/** Formats the time of day in the locale and the time zone of the user. */
function formatClock(at: number): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(at);
}

/** Formats a time with its date: `Nov 25, 2:05 PM`. */
export function formatMoment(at: number): string {
  return dateFormat({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(at);
}
