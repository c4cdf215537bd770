import { type AuditRecord, type End, endOf } from './record.js';

/** Records of one time range. */
export interface Cell {
  /** Inclusive start, in milliseconds since 1970. */
  readonly from: number;
  /** Exclusive end. */
  readonly to: number;
  readonly counts: Readonly<Record<End, number>>;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Cell lengths that are easy to read. */
const LENGTHS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY),
];

/**
 * Counts records by time and outcome, in at most `most` cells of equal length, without gaps between the first
 * and the last.
 */
export function histogramOf(records: readonly AuditRecord[], most = 48): readonly Cell[] {
  const timed = records
    .map((record) => ({ at: Date.parse(record.time), end: endOf(record) }))
    .filter(({ at }) => !Number.isNaN(at));
  if (timed.length === 0) return [];
  const first = timed.reduce((least, { at }) => Math.min(least, at), Infinity);
  const last = timed.reduce((latest, { at }) => Math.max(latest, at), -Infinity);
  const length = lengthFor(first, last, most);
  const begin = Math.floor(first / length) * length;
  const cells = Array.from({ length: Math.floor((last - begin) / length) + 1 }, (_, index) => ({
    from: begin + index * length,
    to: begin + (index + 1) * length,
    counts: { done: 0, refused: 0, failed: 0 },
  }));
  for (const { at, end } of timed) {
    const cell = cells[Math.floor((at - begin) / length)];
    if (cell) cell.counts[end] += 1;
  }
  return cells;
}

function lengthFor(first: number, last: number, most: number): number {
  const fits = (length: number) => Math.floor(last / length) - Math.floor(first / length) < most;
  return LENGTHS.find(fits) ?? Math.ceil((last - first + 1) / (most - 1) / DAY) * DAY;
}
