import { type AuditRecord, type Outcome, outcomeOf } from './record.js';

/** Records of one time range. */
export interface Cell {
  /** Inclusive start, in milliseconds since 1970. */
  readonly from: number;
  /** Exclusive end. */
  readonly to: number;
  readonly counts: Readonly<Record<Outcome, number>>;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Cell lengths that are easy to read. */
const CELL_LENGTHS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY),
];

/**
 * Counts records by time and outcome, in at most `maxCells` cells of equal length. There are no gaps between
 * the first and the last cell.
 */
export function histogramOf(records: readonly AuditRecord[], maxCells = 48): readonly Cell[] {
  const timed = records
    .map((record) => ({ at: Date.parse(record.time), end: outcomeOf(record) }))
    .filter(({ at }) => !Number.isNaN(at));
  if (timed.length === 0) return [];
  const first = timed.reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
  const last = timed.reduce((latest, { at }) => Math.max(latest, at), -Infinity);
  const length = cellLengthFor(first, last, maxCells);
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

function cellLengthFor(first: number, last: number, maxCells: number): number {
  const fits = (length: number) => Math.floor(last / length) - Math.floor(first / length) < maxCells;
  return CELL_LENGTHS.find(fits) ?? Math.ceil((last - first + 1) / (maxCells - 1) / DAY) * DAY;
}
