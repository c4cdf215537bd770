import { type Clock, elapsedSince } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { PreBodyCall } from '../../core/operation.js';

/** A call of an operation that is deprecated or removed. */
export interface DeprecatedCall extends Pick<PreBodyCall, 'principal' | 'address'> {
  /** Name in the configuration. */
  readonly operation: string;
  readonly stage: 'deprecated' | 'removed';
  /** What to use instead, for the log line. */
  readonly use: string;
}

/** Calls since the start of the process. */
export interface RowCount {
  readonly calls: number;
  /** Time of the latest call, in milliseconds since 1970. */
  readonly lastCall: number;
}

/** Caller of a deprecated operation: the subject of the token, or the address if the call has no token. */
export interface CountedCaller extends RowCount {
  readonly caller: string;
  /** Empty without a token. */
  readonly issuer: string;
}

/** Counts the calls of deprecated operations, and logs their callers. */
export interface CallCounter {
  readonly note: (call: DeprecatedCall) => void;
  /** Returns the count of an operation; undefined if it was never called. */
  readonly countOf: (operation: string) => RowCount | undefined;
  /** Returns the callers among the latest {@link CALLERS}, most calls first. */
  readonly callersOf: (operation: string) => readonly CountedCaller[];
}

/** Maximum number of stored pairs of caller and operation; the least recent caller is evicted first. */
export const CALLERS = 1_000;

const HOUR_MS = 3_600_000;

interface UsageKey extends DeprecatedCall {
  readonly caller: string;
  calls: number;
  lastCall: number;
  /** Time of the latest log line for this pair. */
  loggedAt: number;
}

/** Creates the counter. It logs each pair of caller and operation at most once an hour. */
export function createCallCounter({ clock, log }: { readonly clock: Clock; readonly log: Log }): CallCounter {
  const counts = new Map<string, { calls: number; lastCall: number }>();
  // Ordered by the latest call.
  const pairs = new Map<string, UsageKey>();

  function pairOf(call: DeprecatedCall): UsageKey {
    const caller = call.principal?.subject ?? call.address;
    const key = JSON.stringify([call.operation, call.principal?.issuer ?? '', caller]);
    const pair = pairs.get(key) ?? { ...call, caller, calls: 0, lastCall: 0, loggedAt: -Infinity };
    pairs.delete(key);
    pairs.set(key, pair);
    const [longestAgo = ''] = pairs.keys();
    if (pairs.size > CALLERS) pairs.delete(longestAgo);
    return pair;
  }

  return {
    note(call) {
      const now = clock.now();
      const count = counts.get(call.operation) ?? { calls: 0, lastCall: 0 };
      counts.set(call.operation, count);
      const pair = pairOf(call);
      for (const one of [count, pair]) {
        one.calls += 1;
        one.lastCall = now;
      }
      if (elapsedSince(clock, pair.loggedAt) < HOUR_MS) return;
      pair.loggedAt = now;
      const { operation, stage, use } = call;
      log.warn('a deprecated operation was called', { operation, stage, caller: pair.caller, use });
    },
    countOf: (operation) => counts.get(operation),
    callersOf: (operation) =>
      [...pairs.values()]
        .filter((pair) => pair.operation === operation)
        .sort((one, other) => other.calls - one.calls)
        .map(({ caller, principal, calls, lastCall }) => ({
          caller,
          issuer: principal?.issuer ?? '',
          calls,
          lastCall,
        })),
  };
}
