import { setImmediate } from 'node:timers/promises';
import type { RecordedMinute } from './traffic-recorder.js';
import {
  busiestFlows,
  cellsOf,
  columnRangeOf,
  columnSecondsOf,
  columnsOf,
  flowsOf,
  latencyBars,
} from './traffic-report.js';
import type { TrafficFlow, TrafficQuery, TrafficReport, TrafficNumbers } from './traffic-view.js';
import {
  addCallers,
  ALL_ADAPTERS,
  type CallerCounts,
  type CellRange,
  cellStart,
  NO_CALLS,
  type TrafficRow,
  type TrafficStore,
  type TrafficSums,
} from './traffic.js';

type CellReader = Omit<TrafficStore, 'add' | 'removeExpired'>;

interface ReportInput {
  readonly query: TrafficQuery;
  readonly range: CellRange;
  /** Minutes that are not stored yet. */
  readonly unsaved: readonly RecordedMinute[];
  /** Returns true for an adapter that exists. */
  readonly isAdapter: (name: string) => boolean;
}

/** Number of adapters whose rows are read at a time, so that other work of the process continues in between. */
const BATCH_ADAPTERS = 8;
/** Maximum number of adapters whose callers are in a report. */
const MAX_FLOW_ADAPTERS = 40;

/** Reads the report of a time. If the store fails, the report has only the numbers that are not stored yet. */
export async function readTraffic(store: CellReader, input: ReportInput): Promise<TrafficNumbers> {
  try {
    return { ...(await reportOf(store, input)), isComplete: true };
  } catch {
    return { ...(await reportOf(EMPTY_STORE, input)), isComplete: false };
  }
}

const nothing = (): Promise<readonly never[]> => setImmediate([]);
const EMPTY_STORE: CellReader = { cells: nothing, durations: nothing, callers: nothing, sums: nothing };

async function reportOf(
  store: CellReader,
  { query, range, unsaved, isAdapter }: ReportInput,
): Promise<Omit<TrafficReport, 'marks' | 'isComplete'>> {
  const minutes = unsaved.filter(({ at }) => at >= range.from && at < range.to);
  const subject = query.adapter ?? ALL_ADAPTERS;
  const own = [...(await store.cells(range, [subject])), ...rowsIn(minutes, subject, range)];
  const sums = query.adapter === undefined ? [...(await store.sums(range)), ...sumsIn(minutes)] : [];
  const ranked = rank(sums.filter(({ adapter }) => isAdapter(adapter)));
  const listed = listedOf(ranked, query);
  const list = { listed, range: columnRangeOf(range), minutes };
  const flows = query.adapter === undefined ? await readFlows(store, list) : flowsOf(subject, own);
  return {
    cellSeconds: range.seconds,
    from: range.from,
    to: range.to,
    cells: cellsOf(own),
    latencies: latencyBars(own),
    columnSeconds: columnSecondsOf(range),
    adapters: await readColumns(store, { ...list, seconds: columnSecondsOf(range) }),
    adaptersLeft: ranked.length - listed.length,
    flows: busiestFlows(flows),
  };
}

interface ListInput {
  readonly listed: readonly TrafficSums[];
  readonly range: CellRange;
  readonly minutes: readonly RecordedMinute[];
}

/** Reads the columns of the adapters in the list. */
async function readColumns(
  store: CellReader,
  { listed, range, minutes, seconds }: ListInput & { readonly seconds: number },
): Promise<TrafficReport['adapters']> {
  const adapters: TrafficReport['adapters'][number][] = [];
  for (const batch of batchesOf(listed)) {
    const stored = await store.durations(range, namesOf(batch));
    for (const { adapter, ...counts } of batch) {
      const rows = [...rowsOf(stored, adapter), ...rowsIn(minutes, adapter, range)];
      adapters.push({ name: adapter, ...counts, cells: columnsOf(rows, seconds) });
    }
  }
  return adapters;
}

/** Reads the callers of the busiest adapters in the list. */
async function readFlows(store: CellReader, { listed, range, minutes }: ListInput) {
  const busiest = listed.toSorted((one, other) => other.calls - one.calls).slice(0, MAX_FLOW_ADAPTERS);
  const flows: TrafficFlow[] = [];
  for (const batch of batchesOf(busiest)) {
    const stored = await store.callers(range, namesOf(batch));
    for (const { adapter } of batch)
      flows.push(...flowsOf(adapter, [...rowsOf(stored, adapter), ...rowsIn(minutes, adapter, range)]));
  }
  return flows;
}

function batchesOf(listed: readonly TrafficSums[]): readonly (readonly TrafficSums[])[] {
  const batches: (readonly TrafficSums[])[] = [];
  for (let first = 0; first < listed.length; first += BATCH_ADAPTERS)
    batches.push(listed.slice(first, first + BATCH_ADAPTERS));
  return batches;
}

function namesOf(batch: readonly TrafficSums[]): readonly string[] {
  return batch.map(({ adapter }) => adapter);
}

function rowsOf<Row extends { readonly adapter: string }>(
  rows: readonly Row[],
  adapter: string,
): readonly Row[] {
  return rows.filter((row) => row.adapter === adapter);
}

/** Returns the numbers of an adapter that are not stored yet, as rows of the cells of a range. */
function rowsIn(
  minutes: readonly RecordedMinute[],
  adapter: string,
  { seconds }: CellRange,
): readonly TrafficRow[] {
  return minutes.flatMap(({ at, counts }) => {
    const found = counts.get(adapter);
    return found ? [{ ...found, adapter, at: cellStart(at, seconds) }] : [];
  });
}

function sumsIn(minutes: readonly RecordedMinute[]): readonly TrafficSums[] {
  return minutes.flatMap(({ counts }) =>
    [...counts]
      .filter(([adapter]) => adapter !== ALL_ADAPTERS)
      .map(([adapter, { calls, errors, clientErrors }]) => ({ adapter, calls, errors, clientErrors })),
  );
}

/** Adds up sums by adapter, and returns those with calls: most errors first, then most rejected calls, then most calls. */
function rank(sums: readonly TrafficSums[]): readonly TrafficSums[] {
  const byName = new Map<string, CallerCounts>();
  for (const { adapter, ...counts } of sums)
    byName.set(adapter, addCallers(byName.get(adapter) ?? NO_CALLS, counts));
  const order = (one: TrafficSums, other: TrafficSums): number =>
    other.errors - one.errors ||
    other.clientErrors - one.clientErrors ||
    other.calls - one.calls ||
    (one.adapter < other.adapter ? -1 : 1);
  return [...byName]
    .filter(([, { calls }]) => calls > 0)
    .map(([adapter, counts]) => ({ adapter, ...counts }))
    .sort(order);
}

function listedOf(ranked: readonly TrafficSums[], query: TrafficQuery): readonly TrafficSums[] {
  if (query.adapter !== undefined) return [];
  const names = query.adapters && new Set(query.adapters);
  return names ? ranked.filter(({ adapter }) => names.has(adapter)) : ranked.slice(0, query.limit);
}
