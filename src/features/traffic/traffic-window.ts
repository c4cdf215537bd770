import type { Clock } from '../../lib/clock.js';
import { BUCKETS, bucketOf, quantile } from '../../telemetry/metrics/latency-buckets.js';
import { coveredMs, SlidingCounts } from './sliding-counts.js';
import type { Rates } from './traffic-view.js';
import type { CallerCounts } from './traffic.js';

/** Traffic of each adapter in a sliding window of five minutes. */
export interface TrafficWindow {
  /** Counts a response. A negative `ms` omits its duration, for example for a WebSocket. */
  readonly note: (adapter: string, ms: number, status: number) => void;
  /**
   * Returns the rates of the last five minutes, in total and by adapter. Adapters without calls are omitted.
   */
  readonly rates: () => { readonly all: Rates; readonly adapters: ReadonlyMap<string, Rates> };
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Minimum time span for rates, in milliseconds. */
const MIN_SPAN_MS = 60_000;

/** Columns: calls, failed calls, rejected calls, and the buckets of durations. */
const [CALLS, ERRORS, CLIENT_ERRORS, TIMES] = [0, 1, 2, 3];
const COLUMNS = TIMES + BUCKETS;

/** Creates a window that starts now. An adapter takes about 5 KB. */
export function createTrafficWindow(clock: Clock): TrafficWindow {
  const openedAt = clock.now();
  const adapters = new Map<string, SlidingCounts>();

  function countsOf(adapter: string): SlidingCounts {
    const counts = new SlidingCounts(COLUMNS);
    adapters.set(adapter, counts);
    return counts;
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
      const now = clock.now();
      const minutes = minutesSince(openedAt, now);
      const all = new Float64Array(COLUMNS);
      const each = [...adapters].map(([name, counts]) => {
        const sums = new Float64Array(COLUMNS);
        counts.addTo(sums, now);
        for (let column = 0; column < COLUMNS; column += 1)
          all[column] = (all[column] ?? 0) + (sums[column] ?? 0);
        return [name, ratesOf(sums, minutes)] as const;
      });
      return {
        all: ratesOf(all, minutes),
        adapters: new Map(each.filter(([, { calls }]) => calls > 0)),
      };
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

/** Returns the counts with their rates per minute, which have one decimal. */
export function callRates(
  { calls, errors, clientErrors }: CallerCounts,
  minutes: number,
): Omit<Rates, 'p50Ms' | 'p95Ms'> {
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
