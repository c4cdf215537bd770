import { bucketSums, durationOf, quantile } from '../../telemetry/metrics/latency-buckets.js';
import type { LatencyBar, TrafficCell, TrafficColumn, TrafficFlow, TrafficQuery } from './traffic-view.js';
import {
  addCallers,
  addCounts,
  busiestCallers,
  type CallerCounts,
  type CallerRow,
  CELL_LENGTHS,
  type CellRange,
  cellStart,
  type DurationRow,
  NO_CALLS,
  type TrafficCounts,
  type TrafficRow,
} from './traffic.js';

/** Maximum number of cells of a report, unless its time is long and old. */
const MAX_CELLS = 300;
/** Maximum number of columns of an adapter in the list. */
const MAX_COLUMNS = 62;
/** Lengths of the columns, in seconds. */
const COLUMN_LENGTHS = [60, 300, 600, 3_600, 10_800, 21_600, 86_400] as const;
/** Maximum number of callers of an adapter, and of flows, in a report. */
const [MAX_FLOW_CALLERS, MAX_FLOWS] = [8, 60];

/** Returns the cells of a time: the shortest that are still kept and are not too many. */
export function rangeOf({ from, to }: TrafficQuery, now: number): CellRange {
  const isFit = ({ seconds, keptSeconds }: (typeof CELL_LENGTHS)[number]): boolean =>
    from >= now - keptSeconds * 1_000 && (to - from) / (seconds * 1_000) <= MAX_CELLS;
  const { seconds } = CELL_LENGTHS.find(isFit) ?? CELL_LENGTHS[2];
  const end = cellStart(to - 1, seconds) + seconds * 1_000;
  return { seconds, from: cellStart(from, seconds), to: end };
}

/**
 * Returns the cells that the columns of the adapters in the list are made of: the longest that fit, because there
 * are many adapters.
 */
export function columnRangeOf(range: CellRange): CellRange {
  const columnSeconds = columnSecondsOf(range);
  const { seconds } =
    CELL_LENGTHS.findLast((length) => columnSeconds % length.seconds === 0) ?? CELL_LENGTHS[0];
  return { seconds, from: cellStart(range.from, seconds), to: range.to };
}

/** Returns the length of the columns of the adapters in the list. */
export function columnSecondsOf({ seconds, from, to }: CellRange): number {
  const span = (to - from) / 1_000;
  return COLUMN_LENGTHS.find((length) => length >= seconds && span / length <= MAX_COLUMNS) ?? 86_400;
}

/** Returns the cells of rows, oldest first. Rows of the same cell, for example those that are not stored yet, are added. */
export function cellsOf(rows: readonly TrafficRow[]): readonly TrafficCell[] {
  const cells = new Map<number, TrafficCounts>();
  for (const row of rows) {
    const before = cells.get(row.at);
    cells.set(row.at, before ? addCounts(before, row) : row);
  }
  return [...cells].map(([at, counts]) => cellOf(at, counts)).sort((one, other) => one.at - other.at);
}

function cellOf(at: number, counts: TrafficCounts): TrafficCell {
  const { calls, errors, clientErrors, maxInFlight, maxWaiting, openSeconds, halfOpenSeconds } = counts;
  const times = quantilesOf(bucketSums([counts]));
  return { at, calls, errors, clientErrors, ...times, maxInFlight, maxWaiting, openSeconds, halfOpenSeconds };
}

function quantilesOf(durations: Float64Array): {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
} {
  return { p50Ms: quantile(durations, 0.5), p95Ms: quantile(durations, 0.95) };
}

/** Returns the columns of an adapter, oldest first, without empty ones. */
export function columnsOf(rows: readonly DurationRow[], seconds: number): readonly TrafficColumn[] {
  const columns = new Map<number, DurationRow[]>();
  for (const row of rows) {
    const at = cellStart(row.at, seconds);
    const column = columns.get(at);
    if (column) column.push(row);
    else columns.set(at, [row]);
  }
  return [...columns]
    .map(([at, parts]) => ({ at, ...sumsOf(parts), ...quantilesOf(bucketSums(parts)) }))
    .filter(({ calls }) => calls > 0)
    .sort((one, other) => one.at - other.at);
}

function sumsOf(rows: readonly DurationRow[]): CallerCounts {
  return rows.reduce<CallerCounts>(addCallers, NO_CALLS);
}

/** Upper bounds of the bars of a latency histogram, in milliseconds. */
const LATENCY_BOUNDS = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1_000, 10_000].map((decade) => step * decade))
  .sort((one, other) => one - other);

/** Returns the number of calls by duration, from the first to the last bar with calls. */
export function latencyBars(rows: readonly TrafficRow[]): readonly LatencyBar[] {
  const bars = [...LATENCY_BOUNDS, null].map((toMs) => ({ toMs, calls: 0 }));
  bucketSums(rows).forEach((calls, bucket) => {
    const ms = durationOf(bucket);
    const bar = bars.find(({ toMs }) => toMs === null || ms <= toMs);
    if (bar) bar.calls += calls;
  });
  const first = bars.findIndex(({ calls }) => calls > 0);
  return first < 0 ? [] : bars.slice(first, bars.findLastIndex(({ calls }) => calls > 0) + 1);
}

/** Returns the calls of the busiest callers of an adapter, and the sum of all others. */
export function flowsOf(adapter: string, rows: readonly CallerRow[]): readonly TrafficFlow[] {
  const sums = new Map<string, CallerCounts>();
  for (const { callers } of rows)
    for (const [caller, counts] of callers)
      sums.set(caller, addCallers(sums.get(caller) ?? NO_CALLS, counts));
  return [...busiestCallers(sums, MAX_FLOW_CALLERS)].map(([caller, counts]) => ({
    caller,
    adapter,
    ...counts,
  }));
}

/** Returns the flows with the most calls, the busiest first. */
export function busiestFlows(flows: readonly TrafficFlow[]): readonly TrafficFlow[] {
  return flows.toSorted((one, other) => other.calls - one.calls).slice(0, MAX_FLOWS);
}
