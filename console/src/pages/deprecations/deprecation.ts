import { textOf } from '../../text/text.js';

const text = textOf('deprecations');

/** Reply of `GET /deprecations`. */
export interface DeprecationsReply {
  /** The release of the platform that the server implements. */
  readonly release: string;
  readonly results: readonly Deprecation[];
}

export interface Deprecation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly stage: 'current' | 'deprecated' | 'removed';
  readonly deprecatedIn: string;
  readonly removedIn: string;
  readonly removedOn: string;
  readonly replacements: readonly Route[];
  /** Number of calls since the server started. */
  readonly calls: number;
  readonly lastCall: string | null;
  readonly callers: readonly ClientUsage[];
}

export interface Route {
  readonly method: string;
  readonly path: string;
}

interface ClientUsage {
  readonly caller: string;
  readonly issuer: string;
  readonly calls: number;
  readonly lastCall: string;
}

/** Recommended action for a deprecated operation. */
interface ReplacementAdvice {
  readonly status: 'good' | 'warning' | 'bad' | 'off';
  readonly word: string;
  /** Urgency, the most urgent first. */
  readonly rank: number;
}

/**
 * Returns the recommended action. An operation can be removed if it has had no calls since the server
 * started.
 */
export function replacementAdviceOf({
  stage,
  calls,
}: Pick<Deprecation, 'stage' | 'calls'>): ReplacementAdvice {
  if (stage === 'removed')
    return calls > 0
      ? { status: 'bad', word: text('removedStillCalled'), rank: 0 }
      : { status: 'off', word: text('removed'), rank: 4 };
  if (calls > 0) return { status: 'warning', word: text('stillCalled'), rank: 1 };
  return stage === 'deprecated'
    ? { status: 'good', word: text('safeToRemove'), rank: 2 }
    : { status: 'off', word: text('notCalled'), rank: 3 };
}

/** A client and the deprecated operations that it calls. */
export interface Client {
  readonly caller: string;
  readonly issuer: string;
  readonly calls: number;
  readonly lastCall: string;
  readonly operations: readonly { readonly operation: Deprecation; readonly calls: number }[];
}

/** Returns the clients that still call deprecated operations, most calls first. */
export function clientsOf(all: readonly Deprecation[]): readonly Client[] {
  const clients = new Map<string, Client>();
  for (const operation of all)
    for (const { caller, issuer, calls, lastCall } of operation.callers) {
      const key = JSON.stringify([issuer, caller]);
      const known = clients.get(key) ?? { caller, issuer, calls: 0, lastCall, operations: [] };
      clients.set(key, {
        ...known,
        calls: known.calls + calls,
        lastCall: known.lastCall > lastCall ? known.lastCall : lastCall,
        operations: [...known.operations, { operation, calls }],
      });
    }
  return [...clients.values()].sort((one, other) => other.calls - one.calls);
}

/** A segment of a bar. */
interface Share {
  readonly name: string;
  readonly count: number;
  /** Share of the width of the longest bar, 0 to 1. */
  readonly share: number;
}

/**
 * Returns the calls of an operation by client, relative to the calls of the busiest operation. The result has
 * the `maxNamed` busiest clients, and the sum of all other clients.
 */
export function sharesOf(
  { calls, callers }: Pick<Deprecation, 'calls' | 'callers'>,
  busiest: number,
  maxNamed = 4,
): readonly Share[] {
  const named = callers.slice(0, maxNamed).map(({ caller, calls: count }) => ({ name: caller, count }));
  const rest = calls - named.reduce((sum, { count }) => sum + count, 0);
  const all = rest > 0 ? [...named, { name: text('others'), count: rest }] : named;
  return all.map(({ name, count }) => ({ name, count, share: count / Math.max(busiest, 1) }));
}

/** Returns the summary above the list. */
export function usageSummary(all: readonly Deprecation[]): string {
  const called = all.filter(({ calls }) => calls > 0).length;
  return text('usage', { called, total: all.length, clients: clientsOf(all).length });
}
