import { type DurationCounts, type BucketSums, addDurations } from '../../core/metric.js';

/** Calls of one caller. */
export interface CallerCounts {
  readonly calls: number;
  /** Calls that ended with a status of 500 or above. */
  readonly errors: number;
  /** Calls that ended with a status of 400 to 499. */
  readonly clientErrors: number;
}

/**
 * Numbers of the calls of some time. Numbers of shorter times, of several adapters and of several nodes can
 * be added ({@link addCounts}).
 */
export interface TrafficCounts extends CallerCounts {
  /** Number of calls by the bucket of their duration (`src/telemetry/metrics/latency-buckets.ts`). */
  readonly durations: DurationCounts;
  /** Highest number of calls in flight that a sample found. */
  readonly maxInFlight: number;
  /** Highest number of calls in the queue that a sample found. */
  readonly maxWaiting: number;
  /** Time in which a circuit breaker was open. */
  readonly openSeconds: number;
  readonly halfOpenSeconds: number;
  /** Calls by the name of the caller; the empty name sums up all callers that are not listed. */
  readonly callers: ReadonlyMap<string, CallerCounts>;
}

/** Numbers of one adapter in one cell. */
export interface TrafficRow extends TrafficCounts {
  /** Name of the adapter; {@link ALL_ADAPTERS} for the sum of all adapters. */
  readonly adapter: string;
  /** Start of the cell, in milliseconds since 1970; a multiple of its length. */
  readonly at: number;
}

/** Calls and durations of one adapter in one cell. */
export type DurationRow = Pick<TrafficRow, 'adapter' | 'at' | keyof CallerCounts | 'durations'>;

/** Callers of one adapter in one cell. */
export type CallerRow = Pick<TrafficRow, 'adapter' | 'callers'>;

/** Name under which the sum of all adapters is stored. No adapter has an empty name. */
export const ALL_ADAPTERS = '';

/** Length of a cell, and the time for which cells of this length are kept, in seconds. */
interface CellLength {
  readonly seconds: number;
  readonly keptSeconds: number;
}

/** Lengths of the stored cells, the shortest first: a minute, five minutes, an hour. */
export const CELL_LENGTHS = [
  { seconds: 60, keptSeconds: 2 * 3_600 },
  { seconds: 300, keptSeconds: 26 * 3_600 },
  { seconds: 3_600, keptSeconds: 8 * 86_400 },
] as const satisfies readonly CellLength[];

/** Cells of one length. `from` is included, `to` is not. */
export interface CellRange {
  readonly seconds: number;
  readonly from: number;
  readonly to: number;
}

/** Sums of an adapter. */
export interface TrafficSums extends CallerCounts {
  readonly adapter: string;
}

/** Maximum number of adapters in one call of `TrafficStore.add`. */
export const MAX_ADDED_ADAPTERS = 250;

/** Store of the numbers of calls, of a bounded size. All nodes add to the same cells. */
export interface TrafficStore {
  /**
   * Adds the numbers of the minute that started at `at` to the cells of every length, all or none of them: at
   * most {@link MAX_ADDED_ADAPTERS} adapters, so that other users of the store do not wait for long.
   */
  readonly add: (at: number, counts: ReadonlyMap<string, TrafficCounts>) => Promise<void>;
  /** Removes the cells whose time is over, in short transactions. */
  readonly removeExpired: (now: number) => Promise<void>;
  /** Returns the cells of these adapters, by adapter, oldest first. */
  readonly cells: (range: CellRange, adapters: readonly string[]) => Promise<readonly TrafficRow[]>;
  /** Returns the calls and durations of the cells of these adapters, by adapter, oldest first. */
  readonly durations: (range: CellRange, adapters: readonly string[]) => Promise<readonly DurationRow[]>;
  /** Returns the callers in the cells of these adapters. */
  readonly callers: (range: CellRange, adapters: readonly string[]) => Promise<readonly CallerRow[]>;
  /** Returns the sums of each adapter with calls, without {@link ALL_ADAPTERS}. */
  readonly sums: (range: CellRange) => Promise<readonly TrafficSums[]>;
}

/** Numbers without a call. */
export const NO_COUNTS: TrafficCounts = {
  calls: 0,
  errors: 0,
  clientErrors: 0,
  durations: '',
  maxInFlight: 0,
  maxWaiting: 0,
  openSeconds: 0,
  halfOpenSeconds: 0,
  callers: new Map(),
};

/** Maximum number of callers that the numbers of a cell name. */
export const MAX_CELL_CALLERS = 12;

/** Returns the sum of two numbers of calls; the highest numbers in flight and in the queue are not added. */
export function addCounts(a: TrafficCounts, b: TrafficCounts): TrafficCounts {
  return {
    ...addCallers(a, b),
    durations: joinDurations(a.durations, b.durations),
    maxInFlight: Math.max(a.maxInFlight, b.maxInFlight),
    maxWaiting: Math.max(a.maxWaiting, b.maxWaiting),
    openSeconds: a.openSeconds + b.openSeconds,
    halfOpenSeconds: a.halfOpenSeconds + b.halfOpenSeconds,
    callers: addCallerMaps(a.callers, b.callers),
  };
}

/** Returns at most `most` callers, the busiest, and the sum of all others under the empty name. */
export function busiestCallers(
  callers: ReadonlyMap<string, CallerCounts>,
  most: number,
): ReadonlyMap<string, CallerCounts> {
  if (callers.size <= most) return callers;
  const named = [...callers].filter(([name]) => name !== '');
  named.sort(([, one], [, other]) => other.calls - one.calls);
  const others = named
    .slice(most)
    .reduce((sum, [, one]) => addCallers(sum, one), callers.get('') ?? NO_CALLS);
  return new Map([...named.slice(0, most), ...(others.calls > 0 ? [['', others] as const] : [])]);
}

/** Numbers of a caller without a call. */
export const NO_CALLS: CallerCounts = { calls: 0, errors: 0, clientErrors: 0 };

/** Returns the sum of the calls of two callers. */
export function addCallers(a: CallerCounts, b: CallerCounts): CallerCounts {
  return {
    calls: a.calls + b.calls,
    errors: a.errors + b.errors,
    clientErrors: a.clientErrors + b.clientErrors,
  };
}

function addCallerMaps(
  a: ReadonlyMap<string, CallerCounts>,
  b: ReadonlyMap<string, CallerCounts>,
): ReadonlyMap<string, CallerCounts> {
  if (a.size === 0) return b;
  const sum = new Map(a);
  for (const [name, counts] of b) sum.set(name, addCallers(sum.get(name) ?? NO_CALLS, counts));
  return sum;
}

/** Returns the start of the cell of a time. */
export function cellStart(at: number, seconds: number): number {
  return Math.floor(at / (seconds * 1_000)) * seconds * 1_000;
}

/** Returns sums as counts, without empty buckets. */
export function durationCounts(sums: BucketSums): DurationCounts {
  const counts: string[] = [];
  // `forEach` of an array skips the buckets that it does not have.
  sums.forEach((calls, bucket) => {
    if (calls > 0) counts.push(`${bucket}:${calls}`);
  });
  return counts.join(' ');
}

/** Returns the sum of two counts. */
export function joinDurations(a: DurationCounts, b: DurationCounts): DurationCounts {
  if (a === '' || b === '') return a + b;
  const sums: number[] = [];
  addDurations(sums, a);
  addDurations(sums, b);
  return durationCounts(sums);
}
