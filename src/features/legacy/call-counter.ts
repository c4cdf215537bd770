import type { Log } from '../../core/log.js';
import type { PreBodyCall } from '../../core/operation.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import { type Clock, elapsedSince } from '../../lib/clock.js';
import type { CallerCalls } from './deprecated-calls.js';

/** A call of an operation that is deprecated or removed. */
export interface DeprecatedCall extends Pick<PreBodyCall, 'principal' | 'address'> {
  readonly operation: string;
  readonly stage: 'deprecated' | 'removed';
  /** Sentence for the log that names the replacements. */
  readonly use: string;
}

/** Counter of the calls of deprecated operations since the start of the process. It also logs the callers. */
export interface CallCounter {
  readonly record: (call: DeprecatedCall) => void;
  readonly callsOf: (operation: string) => number;
  /** Returns the known callers of all operations, those with the most calls first. */
  readonly callers: () => readonly CallerCalls[];
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
  const counts = new Map<string, number>();
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
      counts.set(call.operation, (counts.get(call.operation) ?? 0) + 1);
      const usage = touchUsage(call);
      usage.calls += 1;
      usage.lastCall = now;
      if (elapsedSince(clock, usage.loggedAt) < LOG_INTERVAL_MS) return;
      usage.loggedAt = now;
      const { operation, stage, use } = call;
      log.warn('client called a deprecated operation', { operation, stage, caller: usage.caller, use });
    },
    callsOf: (operation) => counts.get(operation) ?? 0,
    callers: () =>
      [...usageByKey.values()]
        .sort((first, second) => second.calls - first.calls)
        .map(({ operation, caller, principal, calls, lastCall }) => ({
          operation,
          caller,
          issuer: principal?.issuer ?? '',
          calls,
          lastCall,
        })),
  };
}
