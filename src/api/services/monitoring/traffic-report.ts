import type {
  LatencyBar,
  TrafficCell,
  TrafficColumn,
  TrafficFlow,
  TrafficQuery,
  TrafficReport,
} from '../../../core/traffic-view.js';
import {
  addCounts,
  busiestCallers,
  CELL_LENGTHS,
  type CellRange,
  cellStart,
  NO_COUNTS,
  type TrafficCounts,
  type TrafficRow,
  type TrafficSums,
} from '../../../core/traffic.js';
import { bucketCounts, durationOf, quantile } from '../../../telemetry/metrics/latency-buckets.js';

/** Rows that a report is made of. */
export interface RangeRows {
  /** False if the store did not answer. */
  readonly isComplete: boolean;
  /** Name under which the rows of the report are stored. */
  readonly subject: string;
  /** Adapters in the list of the report. */
  readonly listed: readonly TrafficSums[];
  readonly unlisted: number;
  readonly rows: ReadonlyMap<string, readonly TrafficRow[]>;
}

/** Maximum number of cells of a report, unless its time is long and old. */
const MAX_CELLS = 300;
/** Maximum number of columns of an adapter in the list. */
const MAX_COLUMNS = 62;
/** Lengths of the columns, in seconds. */
const COLUMN_LENGTHS = [60, 300, 600, 3_600, 10_800, 21_600, 86_400] as const;
/** Maximum number of callers of an adapter, and of flows, in a report. */
const [MAX_FLOW_CALLERS, MAX_FLOWS] = [8, 60];

/** Returns the cells of a time: the shortest that are still kept and are not too many. */
export function rangeOf({ from, to }: Pick<TrafficQuery, 'from' | 'to'>, now: number): CellRange {
  const isFit = ({ seconds, keptSeconds }: (typeof CELL_LENGTHS)[number]): boolean =>
    from >= now - keptSeconds * 1_000 && (to - from) / (seconds * 1_000) <= MAX_CELLS;
  const { seconds } = CELL_LENGTHS.find(isFit) ?? CELL_LENGTHS[2];
  const end = cellStart(to - 1, seconds) + seconds * 1_000;
  return { seconds, from: cellStart(from, seconds), to: end };
}

/** Makes a report of rows. */
export function trafficReport(
  { isComplete, subject, listed, unlisted, rows }: RangeRows,
  range: CellRange,
): Omit<TrafficReport, 'marks'> {
  const own = rows.get(subject) ?? [];
  const columnSeconds = columnSecondsOf(range);
  const rowsOf = (adapter: string): readonly TrafficRow[] => rows.get(adapter) ?? [];
  const flowing = subject === '' ? listed.map(({ adapter }) => adapter) : [subject];
  return {
    cellSeconds: range.seconds,
    from: range.from,
    to: range.to,
    isComplete,
    cells: own.map(cellOf),
    latencies: latencyBars(own),
    columnSeconds,
    adapters: listed.map(({ adapter, calls, errors }) => ({
      name: adapter,
      calls,
      errors,
      cells: columnsOf(rowsOf(adapter), columnSeconds),
    })),
    adaptersLeft: unlisted,
    flows: flowing
      .flatMap((adapter) => flowsOf(adapter, rowsOf(adapter)))
      .sort(byCalls)
      .slice(0, MAX_FLOWS),
  };
}

function byCalls(one: TrafficFlow, other: TrafficFlow): number {
  return other.calls - one.calls;
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

function columnSecondsOf({ seconds, from, to }: CellRange): number {
  const span = (to - from) / 1_000;
  return COLUMN_LENGTHS.find((length) => length >= seconds && span / length <= MAX_COLUMNS) ?? 86_400;
}

function cellOf(row: TrafficRow): TrafficCell {
  const { at, calls, errors, clientErrors, maxInFlight, maxWaiting, openSeconds, halfOpenSeconds } = row;
  const times = quantilesOf(row);
  return { at, calls, errors, clientErrors, ...times, maxInFlight, maxWaiting, openSeconds, halfOpenSeconds };
}

function quantilesOf({ durations }: TrafficCounts): {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
} {
  const counts = bucketCounts(durations);
  return { p50Ms: quantile(counts, 0.5), p95Ms: quantile(counts, 0.95) };
}

function columnsOf(rows: readonly TrafficRow[], seconds: number): readonly TrafficColumn[] {
  const columns = new Map<number, TrafficCounts>();
  for (const row of rows) {
    const at = cellStart(row.at, seconds);
    columns.set(at, addCounts(columns.get(at) ?? NO_COUNTS, row));
  }
  return [...columns]
    .filter(([, { calls }]) => calls > 0)
    .map(([at, counts]) => ({ at, calls: counts.calls, errors: counts.errors, ...quantilesOf(counts) }));
}

/** Upper bounds of the bars of a latency histogram, in milliseconds. */
const LATENCY_BOUNDS = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1_000, 10_000].map((decade) => step * decade))
  .sort((one, other) => one - other);

/** Returns the number of calls by duration, from the first to the last bar with calls. */
function latencyBars(rows: readonly TrafficRow[]): readonly LatencyBar[] {
  const durations = rows.reduce<TrafficCounts>(addCounts, NO_COUNTS).durations;
  const bars = [...LATENCY_BOUNDS, null].map((toMs) => ({ toMs, calls: 0 }));
  for (const [bucket, calls] of durations) {
    const ms = durationOf(bucket);
    const bar = bars.find(({ toMs }) => toMs === null || ms <= toMs);
    if (bar) bar.calls += calls;
  }
  const first = bars.findIndex(({ calls }) => calls > 0);
  return first < 0 ? [] : bars.slice(first, bars.findLastIndex(({ calls }) => calls > 0) + 1);
}

function flowsOf(adapter: string, rows: readonly TrafficRow[]): readonly TrafficFlow[] {
  const { callers } = rows.reduce<TrafficCounts>(addCounts, NO_COUNTS);
  return [...busiestCallers(callers, MAX_FLOW_CALLERS)].map(([caller, counts]) => ({
    caller,
    adapter,
    ...counts,
  }));
}
