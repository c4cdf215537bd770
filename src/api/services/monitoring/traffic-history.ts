import type { Scheduler } from '../../../core/lib/clock.js';
import { createSerialQueue } from '../../../core/lib/serial-queue.js';
import type { Log } from '../../../core/log.js';
import type { TrafficQuery, TrafficReport } from '../../../core/traffic-view.js';
import {
  ALL_ADAPTERS,
  addCounts,
  type CellRange,
  cellStart,
  MAX_ADDED_ADAPTERS,
  type TrafficCounts,
  type TrafficRow,
  type TrafficStore,
  type TrafficSums,
} from '../../../core/traffic.js';
import type { RecordedMinute, TrafficRecorder } from '../../../telemetry/metrics/traffic-recorder.js';
import { columnRangeOf, rangeOf, type RangeRows, trafficReport } from './traffic-report.js';

/** Numbers of calls over time: stored every minute, and read together with those that are not stored yet. */
export interface TrafficHistory {
  /** Returns the numbers of a time. If the store fails, only those that are not stored yet. */
  readonly read: (query: TrafficQuery) => Promise<Omit<TrafficReport, 'marks'>>;
  /** Stops the regular writes. */
  readonly close: () => void;
  /** Stores the numbers that are not stored yet, also those of the current minute. */
  readonly save: () => Promise<void>;
}

interface TrafficHistoryInput {
  readonly recorder: TrafficRecorder;
  readonly store: TrafficStore;
  /** Returns true for an adapter that exists. */
  readonly isAdapter: (name: string) => boolean;
  readonly clock: Scheduler;
  readonly log: Log;
}

const MINUTE_MS = 60_000;
/** Maximum delay after the end of a minute, so that the nodes of a cluster do not write at the same time. */
const JITTER_MS = 10_000;
/** Maximum number of minutes that wait for a store that fails; the oldest are lost first. */
export const MAX_UNSAVED_MINUTES = 30;

/** Starts to store the numbers every minute. A failing store delays and refuses no call. */
export function openTrafficHistory(input: TrafficHistoryInput): TrafficHistory {
  const { recorder, store, clock, log } = input;
  // Reads wait for a write that is in progress: they would count its numbers twice, or not at all.
  const runInTurn = createSerialQueue();
  const runSerially = <T>(work: () => Promise<T>): Promise<T> => runInTurn({ signal: NEVER }, work);
  let unsaved: readonly RecordedMinute[] = [];
  let isFailing = false;

  async function saveEnded(isLast: boolean): Promise<void> {
    unsaved = [...unsaved, ...recorder.take(isLast).flatMap(piecesOf)];
    try {
      for (const piece of unsaved) {
        await store.add(piece.at, piece.counts);
        unsaved = unsaved.filter((one) => one !== piece);
      }
      await store.removeExpired(clock.now());
      isFailing = false;
    } catch (error) {
      unsaved = newestMinutes(unsaved, MAX_UNSAVED_MINUTES);
      if (!isFailing)
        log.warn('traffic numbers were not stored; trying again every minute', { error: String(error) });
      isFailing = true;
    }
  }

  let cancel = (): void => undefined;
  function saveLater(): void {
    const now = clock.now();
    const waitMs = cellStart(now, MINUTE_MS / 1_000) + MINUTE_MS - now + Math.random() * JITTER_MS;
    cancel = clock.after(waitMs, () => {
      saveLater();
      void runSerially(() => saveEnded(false));
    });
  }
  saveLater();

  return {
    read: (query) =>
      runSerially(async () => {
        const range = rangeOf(query, clock.now());
        const memory = memoryRows([...unsaved, ...recorder.minutes()], range);
        return trafficReport(await rowsOf(input, { query, range, memory }), range);
      }),
    close() {
      cancel();
    },
    save: () => runSerially(() => saveEnded(true)),
  };
}

const NEVER = new AbortController().signal;

/** Splits a minute into pieces, each for one transaction. */
function piecesOf({ at, counts }: RecordedMinute): readonly RecordedMinute[] {
  const all = [...counts];
  const pieces: RecordedMinute[] = [];
  for (let first = 0; first < all.length; first += MAX_ADDED_ADAPTERS)
    pieces.push({ at, counts: new Map(all.slice(first, first + MAX_ADDED_ADAPTERS)) });
  return pieces;
}

/** Returns the pieces of the newest minutes. */
function newestMinutes(pieces: readonly RecordedMinute[], most: number): readonly RecordedMinute[] {
  const minutes = [...new Set(pieces.map(({ at }) => at))].slice(-most);
  return pieces.filter(({ at }) => minutes.includes(at));
}

/** Returns the numbers that are not stored yet, as rows of the cells of a range. */
function memoryRows(
  minutes: readonly RecordedMinute[],
  { seconds, from, to }: CellRange,
): readonly TrafficRow[] {
  return minutes
    .map(({ at, counts }) => ({ at: cellStart(at, seconds), counts }))
    .filter(({ at }) => at >= from && at < to)
    .flatMap(({ at, counts }) => [...counts].map(([adapter, one]) => ({ ...one, adapter, at })));
}

interface RowsInput {
  readonly query: TrafficQuery;
  readonly range: CellRange;
  readonly memory: readonly TrafficRow[];
}

/** Reads the rows of a report: of the sum of all adapters or of one, and of the adapters in the list. */
async function rowsOf(
  { store, isAdapter }: TrafficHistoryInput,
  { query, range, memory }: RowsInput,
): Promise<RangeRows> {
  const subject = query.adapter ?? ALL_ADAPTERS;
  try {
    const sums = query.adapter === undefined ? await store.sums(range) : [];
    const ranked = rank([...sums, ...memory.filter(({ adapter }) => adapter !== ALL_ADAPTERS)]).filter(
      ({ adapter }) => isAdapter(adapter),
    );
    const listed = listedOf(ranked, query);
    const names = listed.map(({ adapter }) => adapter);
    const own = await store.cells(range, [subject]);
    const rows = addRows([...own, ...(await store.cells(columnRangeOf(range), names)), ...memory]);
    return { isComplete: true, subject, listed, unlisted: ranked.length - listed.length, rows };
  } catch {
    const ranked = rank(memory.filter(({ adapter }) => adapter !== ALL_ADAPTERS));
    const listed = listedOf(ranked, query);
    const unlisted = ranked.length - listed.length;
    return { isComplete: false, subject, listed, unlisted, rows: addRows(memory) };
  }
}

/** Returns the sums by adapter: most errors first, then most calls. */
function rank(sums: readonly TrafficSums[]): readonly TrafficSums[] {
  const byName = new Map<string, TrafficSums>();
  for (const { adapter, calls, errors } of sums) {
    const before = byName.get(adapter) ?? { calls: 0, errors: 0 };
    byName.set(adapter, { adapter, calls: before.calls + calls, errors: before.errors + errors });
  }
  const order = (one: TrafficSums, other: TrafficSums): number =>
    other.errors - one.errors || other.calls - one.calls || (one.adapter < other.adapter ? -1 : 1);
  return [...byName.values()].filter(({ calls }) => calls > 0).sort(order);
}

function listedOf(ranked: readonly TrafficSums[], query: TrafficQuery): readonly TrafficSums[] {
  if (query.adapter !== undefined) return [];
  const names = query.adapters && new Set(query.adapters);
  return names ? ranked.filter(({ adapter }) => names.has(adapter)) : ranked.slice(0, query.limit);
}

/** Adds the rows of the same cell, and returns them by adapter, oldest first. */
function addRows(rows: readonly TrafficRow[]): ReadonlyMap<string, readonly TrafficRow[]> {
  const byAdapter = new Map<string, Map<number, TrafficRow>>();
  for (const row of rows) {
    const cells = byAdapter.get(row.adapter) ?? new Map<number, TrafficRow>();
    byAdapter.set(row.adapter, cells);
    const before: TrafficCounts | undefined = cells.get(row.at);
    cells.set(row.at, before ? { ...addCounts(before, row), adapter: row.adapter, at: row.at } : row);
  }
  return new Map(
    [...byAdapter].map(([name, cells]) => [
      name,
      [...cells.values()].sort((one, other) => one.at - other.at),
    ]),
  );
}
