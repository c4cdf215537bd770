import type { CallCell, Span } from '../../kit/chart-shapes.js';
import type { TimeRange } from '../../kit/time-range.js';
import { type AuditRecord, type Outcome, outcomeOf } from './record.js';

/** Number of cells of the strip. */
const CELLS = 60;

/** Returns the time of a strip that ends at `to`. */
export function auditSpan(to: number, lengthMs: number): Span {
  return { from: to - lengthMs, to, cellMs: lengthMs / CELLS };
}

/** Counts records by cell of a time, oldest first, without empty cells: refused ones are `clientErrors`, failed ones `errors`. */
export function auditCells(
  records: readonly Pick<AuditRecord, 'time' | 'status'>[],
  span: Span,
): readonly CallCell[] {
  const cells = new Map<number, { at: number; calls: number; errors: number; clientErrors: number }>();
  for (const record of records) {
    const at = Date.parse(record.time);
    if (!(at >= span.from && at < span.to)) continue;
    const start = span.from + Math.floor((at - span.from) / span.cellMs) * span.cellMs;
    const cell = cells.get(start) ?? { at: start, calls: 0, errors: 0, clientErrors: 0 };
    const outcome = outcomeOf(record);
    cell.calls += 1;
    if (outcome === 'failed') cell.errors += 1;
    if (outcome === 'refused') cell.clientErrors += 1;
    cells.set(start, cell);
  }
  return [...cells.values()].sort((one, other) => one.at - other.at);
}

/** Returns the number of records of each outcome. */
export function outcomeCounts(
  records: readonly Pick<AuditRecord, 'status'>[],
): Readonly<Record<Outcome, number>> {
  const counts = { done: 0, refused: 0, failed: 0 };
  for (const record of records) counts[outcomeOf(record)] += 1;
  return counts;
}

interface Loaded {
  /** Newest first. */
  readonly records: readonly Pick<AuditRecord, 'time'>[];
  /** The time that was searched. */
  readonly searched: TimeRange;
  /** True if there are older records than those that are loaded. */
  readonly hasOlder: boolean;
  /** True for a later page: there are newer records. */
  readonly hasNewer: boolean;
}

/** Returns the time whose records are loaded. */
export function loadedTime({ records, searched, hasOlder, hasNewer }: Loaded): TimeRange {
  const oldest = Date.parse(records.at(-1)?.time ?? '');
  const newest = Date.parse(records[0]?.time ?? '');
  return {
    from: hasOlder && !Number.isNaN(oldest) ? oldest : searched.from,
    to: hasNewer && !Number.isNaN(newest) ? newest : searched.to,
  };
}
