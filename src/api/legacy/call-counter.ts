import { BoundedMap } from '../../core/lib/bounded-map.js';
import { type Clock, elapsedSince } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { PreBodyCall } from '../../core/operation.js';

/** A call of an operation that is deprecated or removed. */
export interface DeprecatedCall extends Pick<PreBodyCall, 'principal' | 'address'> {
  /** Name of the operation in the configuration. */
  readonly operation: string;
  readonly stage: 'deprecated' | 'removed';
  /** Sentence for the log that names the replacements. */
  readonly use: string;
}

/** Count of calls since the start of the process. */
export interface CallCount {
  readonly calls: number;
  /** Time of the latest call, in milliseconds since 1970. */
  readonly lastCall: number;
}

/** Caller of a deprecated operation: the subject of the token, or the address if the call has no token. */
export interface CountedCaller extends CallCount {
  readonly caller: string;
  /** Issuer of the token; empty if the call has no token. */
  readonly issuer: string;
}

/** Counter of the calls of deprecated operations. It also logs the callers. */
export interface CallCounter {
  readonly record: (call: DeprecatedCall) => void;
  /** Returns the count of an operation; undefined if it was never called. */
  readonly countOf: (operation: string) => CallCount | undefined;
  /** Returns the known callers of an operation, most calls first. */
  readonly callersOf: (operation: string) => readonly CountedCaller[];
}

/** Maximum number of stored pairs of caller and operation. The counter evicts the least recent pair first. */
export const MAX_COUNTED_CALLERS = 1_000;

const LOG_INTERVAL_MS = 3_600_000;

interface CallerUsage extends DeprecatedCall {
  readonly caller: string;
  calls: number;
  lastCall: number;
  /** Time of the latest log line for this pair. */
  loggedAt: number;
}

/** Creates the counter. It logs each pair of caller and operation at most once an hour. */
export function createCallCounter({ clock, log }: { readonly clock: Clock; readonly log: Log }): CallCounter {
  const counts = new Map<string, { calls: number; lastCall: number }>();
  const usageByKey = new BoundedMap<string, CallerUsage>({ maxEntries: MAX_COUNTED_CALLERS });

  function touchUsage(call: DeprecatedCall): CallerUsage {
    const caller = call.principal?.subject ?? call.address;
    const key = JSON.stringify([call.operation, call.principal?.issuer ?? '', caller]);
    const usage = usageByKey.get(key) ?? { ...call, caller, calls: 0, lastCall: 0, loggedAt: -Infinity };
    usageByKey.set(key, usage);
    return usage;
  }

  return {
    record(call) {
      const now = clock.now();
      const count = counts.get(call.operation) ?? { calls: 0, lastCall: 0 };
      counts.set(call.operation, count);
      const usage = touchUsage(call);
      for (const counted of [count, usage]) {
        counted.calls += 1;
        counted.lastCall = now;
      }
      if (elapsedSince(clock, usage.loggedAt) < LOG_INTERVAL_MS) return;
      usage.loggedAt = now;
      const { operation, stage, use } = call;
      log.warn('client called a deprecated operation', { operation, stage, caller: usage.caller, use });
    },
    countOf: (operation) => counts.get(operation),
    callersOf: (operation) =>
      [...usageByKey.values()]
        .filter((usage) => usage.operation === operation)
        .sort((first, second) => second.calls - first.calls)
        .map(({ caller, principal, calls, lastCall }) => ({
          caller,
          issuer: principal?.issuer ?? '',
          calls,
          lastCall,
        })),
  };
}
