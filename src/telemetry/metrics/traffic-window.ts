import type { Clock } from '../../core/lib/clock.js';
import type { Rates, TrafficCell } from '../../core/monitoring.js';
import { coveredMs, SlidingCounts } from './sliding-counts.js';

/** Buckets per octave, which limit the error of a reported value to a sixteenth. */
const BUCKETS_PER_OCTAVE = 8;
/** Maximum duration that is distinguished, in milliseconds; no call takes longer. */
const MAX_DURATION_MS = 2 ** 17 - 1;

/** Number of buckets. */
export const BUCKETS = 120;

/**
 * Returns the bucket of a duration in milliseconds: one bucket for each value up to 15, then eight per
 * doubling, up to two minutes.
 */
export function bucketOf(ms: number): number {
  const whole = ms > MAX_DURATION_MS ? MAX_DURATION_MS : ms | 0;
  if (whole < BUCKETS_PER_OCTAVE) return whole < 0 ? 0 : whole;
  const octave = 31 - Math.clz32(whole);
  return (octave - 2) * BUCKETS_PER_OCTAVE + ((whole >>> (octave - 3)) & (BUCKETS_PER_OCTAVE - 1));
}

/** Returns the duration in the middle of a bucket, in whole milliseconds. */
export function durationOf(bucket: number): number {
  if (bucket < 2 * BUCKETS_PER_OCTAVE) return bucket;
  const shift = (bucket >>> 3) - 1;
  const low = (BUCKETS_PER_OCTAVE + (bucket & (BUCKETS_PER_OCTAVE - 1))) << shift;
  return low + ((1 << shift) >>> 1);
}

/** Returns the duration that the fraction `part` (0 to 1) of all calls did not exceed; null without calls. */
export function quantile(counts: ArrayLike<number>, part: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) all += counts[bucket] ?? 0;
  if (all === 0) return null;
  let remaining = Math.ceil(all * part);
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    remaining -= counts[bucket] ?? 0;
    if (remaining <= 0) return durationOf(bucket);
  }
  return durationOf(BUCKETS - 1);
}

/** Traffic of each adapter: a sliding window of five minutes, and the last day in cells of five minutes. */
export interface TrafficWindow {
  /** Counts a response. A negative `ms` omits its duration, for example for a WebSocket. */
  readonly note: (adapter: string, ms: number, failed: boolean) => void;
  /**
   * Returns the rates of the last five minutes, in total and by adapter. Adapters without calls are omitted.
   */
  readonly rates: () => { readonly all: Rates; readonly adapters: ReadonlyMap<string, Rates> };
  /**
   * Returns the cells that started at `from` or later, oldest first, by adapter; cells without calls are
   * omitted.
   */
  readonly cells: (from: number) => ReadonlyMap<string, readonly TrafficCell[]>;
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Number of cells in a day. */
const MAX_CELLS = 288;
/** Minimum time span for rates, in milliseconds. */
const MIN_SPAN_MS = 60_000;

/** Columns: calls, failed calls, and the buckets of durations. */
const [CALLS, ERRORS, TIMES] = [0, 1, 2];
const COLUMNS = TIMES + BUCKETS;

/** Creates a window that starts now. An adapter takes about 5 KB, plus its cells. */
export function createTrafficWindow(clock: Clock): TrafficWindow {
  const openedAt = clock.now();
  const adapters = new Map<string, Series>();

  function seriesOf(adapter: string): Series {
    const series = new Series();
    adapters.set(adapter, series);
    return series;
  }

  return {
    note(adapter, ms, failed) {
      (adapters.get(adapter) ?? seriesOf(adapter)).note(clock.now(), ms, failed);
    },
    rates() {
      const now = clock.now();
      const minutes = minutesSince(openedAt, now);
      const all = new Float64Array(COLUMNS);
      const each = [...adapters].map(([name, series]) => {
        const sums = new Float64Array(COLUMNS);
        series.addTo(sums, now);
        for (let column = 0; column < COLUMNS; column += 1)
          all[column] = (all[column] ?? 0) + (sums[column] ?? 0);
        return [name, ratesOf(sums, minutes)] as const;
      });
      return {
        all: ratesOf(all, minutes),
        adapters: new Map(each.filter(([, { p50Ms, perMinute }]) => p50Ms !== null || perMinute > 0)),
      };
    },
    cells(from) {
      const now = clock.now();
      return new Map([...adapters].map(([name, series]) => [name, series.cells(from, now)]));
    },
    keepOnly(wanted) {
      for (const name of adapters.keys()) if (!wanted.has(name)) adapters.delete(name);
    },
  };
}

/** Returns how much of the window's lifetime the slots cover, in minutes. */
export function minutesSince(openedAt: number, now: number): number {
  return Math.max(MIN_SPAN_MS, Math.min(now - openedAt, coveredMs(now))) / 60_000;
}

/** Returns a rate with one decimal. */
export function perMinute(count: number, minutes: number): number {
  return Math.round((count / minutes) * 10) / 10;
}

class Series {
  readonly #cells: TrafficCell[] = [];
  readonly #counts = new SlidingCounts(COLUMNS, (at, sums) => {
    this.#close(at, sums);
  });

  note(now: number, ms: number, failed: boolean): void {
    this.#counts.count(now, CALLS);
    if (failed) this.#counts.count(now, ERRORS);
    if (ms >= 0) this.#counts.count(now, TIMES + bucketOf(ms));
  }

  addTo(sums: Float64Array, now: number): void {
    this.#counts.addTo(sums, now);
  }

  cells(from: number, now: number): readonly TrafficCell[] {
    const { at, sums } = this.#counts.running(now);
    const running = cellOf(at, sums);
    // A cell with a later time was written before the clock was set back.
    const closed = this.#cells.filter((cell) => cell.at >= from && cell.at < at);
    return running.calls > 0 && at >= from ? [...closed, running] : closed;
  }

  #close(at: number, sums: Float64Array): void {
    const cell = cellOf(at, sums);
    if (cell.calls === 0) return;
    this.#cells.push(cell);
    if (this.#cells.length > MAX_CELLS) this.#cells.shift();
  }
}

function cellOf(at: number, sums: Float64Array): TrafficCell {
  const times = sums.subarray(TIMES);
  return {
    at,
    calls: sums[CALLS] ?? 0,
    errors: sums[ERRORS] ?? 0,
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
  };
}

function ratesOf(sums: Float64Array, minutes: number): Rates {
  const { calls, errors, p50Ms, p95Ms } = cellOf(0, sums);
  return {
    perMinute: perMinute(calls, minutes),
    errorsPerMinute: perMinute(errors, minutes),
    p50Ms,
    p95Ms,
  };
}
