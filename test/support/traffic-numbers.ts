import {
  ALL_ADAPTERS,
  addCounts,
  NO_COUNTS,
  type TrafficCounts,
  type TrafficStore,
  durationCounts,
} from '../../src/features/traffic/traffic.js';
import { bucketOf } from '../../src/telemetry/metrics/latency-buckets.js';

const MINUTE_MS = 60_000;

/** Names of adapters as network engineers give them. */
export function adapterNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_name, index) =>
    index === 0 ? 'core1' : `nso${index}.pop-${index % 7}.example.com`,
  );
}

/** Returns the numbers of one adapter in one minute; the same ones for the same arguments. */
function countsOfMinute(index: number, minute: number): TrafficCounts {
  const calls = 3 + ((index * 7 + minute * 3) % 20) + (index === 2 && minute === 30 ? 900 : 0);
  const isFailing = index === 5 && minute >= 40 && minute < 50;
  const errors = isFailing ? calls : index % 9 === 4 && minute % 6 === 0 ? 1 : 0;
  const first = Math.ceil(calls * 0.7);
  return {
    ...NO_COUNTS,
    calls,
    errors,
    durations: durationsOf(calls, (call) => durationOfCall(call, index * 13 + minute)),
    maxInFlight: 1 + (calls % 5),
    maxWaiting: calls % 8 === 0 ? 2 : 0,
    openSeconds: isFailing ? 45 : 0,
    callers: new Map([
      ['ada', { calls: first, errors, clientErrors: 0 }],
      [`automation-${index % 4}`, { calls: calls - first, errors: 0, clientErrors: 0 }],
    ]),
  };
}

/** Returns the stored form of the durations of calls; `msOf` returns the milliseconds of one of them. */
export function durationsOf(calls: number, msOf: (call: number) => number): string {
  const durations: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const bucket = bucketOf(msOf(call));
    durations[bucket] = (durations[bucket] ?? 0) + 1;
  }
  return durationCounts(durations);
}

/** Returns milliseconds: every 17th call is slow. */
function durationOfCall(call: number, offset: number): number {
  return 8 + ((call * 31 + offset) % 90) * (call % 17 === 0 ? 12 : 1);
}

/** Stores the numbers of the last `minutes` minutes before `now`. */
export async function storeTraffic(
  store: TrafficStore,
  {
    now,
    minutes,
    names,
  }: { readonly now: number; readonly minutes: number; readonly names: readonly string[] },
): Promise<void> {
  const last = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (let minute = 0; minute < minutes; minute += 1) {
    const counts = names.map((name, index) => [name, countsOfMinute(index, minute)] as const);
    await storeCounts(store, last - (minutes - minute) * MINUTE_MS, counts);
  }
}

/** Stores the numbers of adapters in the minute that started at `at`, and their sum. */
export async function storeCounts(
  store: Pick<TrafficStore, 'add'>,
  at: number,
  counts: readonly (readonly [adapter: string, counts: TrafficCounts])[],
): Promise<void> {
  const all = counts.map(([, one]) => one).reduce(addCounts, NO_COUNTS);
  await store.add(at, new Map([[ALL_ADAPTERS, all], ...counts]));
}
