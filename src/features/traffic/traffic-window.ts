import type { Clock } from '../../lib/clock.js';
import { BUCKETS, bucketOf, quantile } from '../../telemetry/metrics/latency-buckets.js';
import { coveredMs, SlidingCounts } from './sliding-counts.js';
import type { Rates, CallRates } from './traffic-view.js';
import type { CallerCounts } from './traffic.js';

/** Traffic of each adapter in a sliding window of five minutes. */
export interface TrafficWindow {
  /** Counts a response. A negative `ms` omits its duration, for example for a WebSocket. */
  readonly note: (adapter: string, ms: number, status: number) => void;
  /**
   * Returns the rates of the last five minutes, in total and by adapter. Adapters without calls are omitted.
   */
  readonly rates: () => { readonly all: Rates; readonly adapters: ReadonlyMap<string, Rates> };
  /** Returns the counts of this process, by adapter. */
  readonly sums: () => readonly AdapterSums[];
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Counts of one adapter in the last five minutes. */
export type AdapterSums = readonly [adapter: string, sums: readonly number[]];

/** Minimum time span for rates, in milliseconds. */
const MIN_SPAN_MS = 60_000;

/** Columns: calls, failed calls, rejected calls, and the buckets of durations. */
const [CALLS, ERRORS, CLIENT_ERRORS, TIMES] = [0, 1, 2, 3];
const COLUMNS = TIMES + BUCKETS;

/**
 * Creates a window that starts now. An adapter takes about 5 KB. The rates include `others`, the counts of the other processes of
 * the server.
 */
export function createTrafficWindow(
  clock: Clock,
  others: () => readonly AdapterSums[] = () => [],
): TrafficWindow {
  const openedAt = clock.now();
  const adapters = new Map<string, SlidingCounts>();

  function countsOf(adapter: string): SlidingCounts {
    const counts = new SlidingCounts(COLUMNS);
    adapters.set(adapter, counts);
    return counts;
  }

  function sums(): readonly (readonly [string, Float64Array])[] {
    const now = clock.now();
    return [...adapters].map(([name, counts]) => {
      const added = new Float64Array(COLUMNS);
      counts.addTo(added, now);
      return [name, added] as const;
    });
  }

  return {
    note(adapter, ms, status) {
      const now = clock.now();
      const counts = adapters.get(adapter) ?? countsOf(adapter);
      counts.count(now, CALLS);
      if (status >= 400) counts.count(now, status >= 500 ? ERRORS : CLIENT_ERRORS);
      if (ms >= 0) counts.count(now, TIMES + bucketOf(ms));
    },
    rates() {
      const minutes = minutesSince(openedAt, clock.now());
      const all = new Float64Array(COLUMNS);
      const each = new Map<string, Float64Array>();
      for (const [name, counts] of [...sums(), ...others()]) {
        const known = each.get(name) ?? new Float64Array(COLUMNS);
        each.set(name, known);
        for (let column = 0; column < COLUMNS; column += 1) {
          known[column] = (known[column] ?? 0) + (counts[column] ?? 0);
          all[column] = (all[column] ?? 0) + (counts[column] ?? 0);
        }
      }
      const rates = [...each].map(([name, counts]) => [name, ratesOf(counts, minutes)] as const);
      return {
        all: ratesOf(all, minutes),
        adapters: new Map(rates.filter(([, { calls }]) => calls > 0)),
      };
    },
    sums: () => sums().map(([name, counts]) => [name, [...counts]]),
    keepOnly(wanted) {
      for (const name of adapters.keys()) if (!wanted.has(name)) adapters.delete(name);
    },
  };
}

/** Returns how much of the window's lifetime the slots cover, in minutes. */
export function minutesSince(openedAt: number, now: number): number {
  return Math.max(MIN_SPAN_MS, Math.min(now - openedAt, coveredMs(now))) / 60_000;
}

/** Returns the counts with their rates per minute, which have one decimal. */
export function callRates({ calls, errors, clientErrors }: CallerCounts, minutes: number): CallRates {
  return {
    calls,
    errors,
    clientErrors,
    perMinute: perMinute(calls, minutes),
    errorsPerMinute: perMinute(errors, minutes),
  };
}

function perMinute(count: number, minutes: number): number {
  return Math.round((count / minutes) * 10) / 10;
}

function ratesOf(sums: Float64Array, minutes: number): Rates {
  const times = sums.subarray(TIMES);
  return {
    ...callRates(
      { calls: sums[CALLS] ?? 0, errors: sums[ERRORS] ?? 0, clientErrors: sums[CLIENT_ERRORS] ?? 0 },
      minutes,
    ),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
  };
}
