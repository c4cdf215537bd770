import type { Log } from '../../core/log.js';
import type { Scheduler } from '../../lib/clock.js';
import { createSerialQueue } from '../../lib/serial-queue.js';
import { readTraffic } from './read-traffic.js';
import type { RecordedMinute, TrafficRecorder } from './traffic-recorder.js';
import { rangeOf } from './traffic-report.js';
import type { TrafficQuery, TrafficNumbers } from './traffic-view.js';
import {
  ALL_ADAPTERS,
  busiestCallers,
  cellStart,
  MAX_ADDED_ADAPTERS,
  MAX_CELL_CALLERS,
  type TrafficStore,
} from './traffic.js';

/** Numbers of calls over time: stored every minute, and read together with those that are not stored yet. */
export interface TrafficHistory {
  /** Returns the numbers of a time. If the store fails, only those that are not stored yet. */
  readonly read: (query: TrafficQuery) => Promise<TrafficNumbers>;
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
/**
 * Maximum number of rows of adapters that wait for a store that fails. Beyond it, the oldest minutes keep only the
 * sum of all adapters.
 */
export const MAX_UNSAVED_ROWS = 20_000;

/** Starts to store the numbers every minute. A failing store delays and refuses no call. */
export function openTrafficHistory(input: TrafficHistoryInput): TrafficHistory {
  const { recorder, store, clock, log } = input;
  // Reads wait for a write that is in progress: they would count its numbers twice, or not at all.
  const runInTurn = createSerialQueue();
  let unsaved: readonly RecordedMinute[] = [];
  let isFailing = false;

  function reportFailure(error: unknown): void {
    if (!isFailing)
      log.warn('traffic numbers were not stored; trying again every minute', { error: String(error) });
    isFailing = true;
  }

  async function saveEnded(isLast: boolean): Promise<void> {
    unsaved = [...unsaved, ...recorder.take(isLast).flatMap(piecesOf)];
    try {
      for (const piece of unsaved) {
        await store.add(piece.at, piece.counts);
        unsaved = unsaved.filter((one) => one !== piece);
      }
      isFailing = false;
    } catch (error) {
      unsaved = boundedRows(newestMinutes(unsaved, MAX_UNSAVED_MINUTES), MAX_UNSAVED_ROWS);
      reportFailure(error);
    }
  }

  /** Saves the minutes that are over. The removal of old cells may take long, so that reads do not wait for it. */
  async function saveAndTidy(): Promise<void> {
    await runInTurn({}, () => saveEnded(false));
    if (!isFailing) await store.removeExpired(clock.now()).catch(reportFailure);
  }

  let cancel = (): void => undefined;
  function saveLater(): void {
    const now = clock.now();
    const waitMs = cellStart(now, MINUTE_MS / 1_000) + MINUTE_MS - now + Math.random() * JITTER_MS;
    cancel = clock.after(waitMs, () => {
      saveLater();
      void saveAndTidy();
    });
  }
  saveLater();

  return {
    read: (query) =>
      runInTurn({}, async () => {
        const minutes = [...unsaved, ...recorder.minutes()];
        const range = rangeOf(query, clock.now());
        return readTraffic(store, { query, range, unsaved: minutes, isAdapter: input.isAdapter });
      }),
    close() {
      cancel();
    },
    save: () => runInTurn({}, () => saveEnded(true)),
  };
}

/** Splits a minute into pieces, each for one transaction, with only the callers that the store keeps. */
function piecesOf({ at, counts }: RecordedMinute): readonly RecordedMinute[] {
  const all = [...counts].map(([name, one]) => {
    const callers = busiestCallers(one.callers, MAX_CELL_CALLERS);
    return [name, { ...one, callers }] as const;
  });
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

/** Returns the pieces with at most `most` rows: the oldest ones beyond it keep only the sum of all adapters. */
function boundedRows(pieces: readonly RecordedMinute[], most: number): readonly RecordedMinute[] {
  let rows = 0;
  return pieces
    .toReversed()
    .flatMap((piece) => {
      rows += piece.counts.size;
      if (rows <= most) return [piece];
      const all = piece.counts.get(ALL_ADAPTERS);
      return all ? [{ at: piece.at, counts: new Map([[ALL_ADAPTERS, all]]) }] : [];
    })
    .toReversed();
}
