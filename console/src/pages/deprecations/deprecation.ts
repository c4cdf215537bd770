/** What `GET /deprecations` tells. */
export interface DeprecationsReply {
  /** The release that the server stands for. */
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
  /** Since the start of the server. */
  readonly calls: number;
  readonly lastCall: string | null;
  readonly callers: readonly ClientUsage[];
}

export interface Route {
  readonly method: string;
  readonly path: string;
}

export interface ClientUsage {
  readonly caller: string;
  readonly issuer: string;
  readonly calls: number;
  readonly lastCall: string;
}

/** What is to be done about a deprecated operation. */
export interface ReplacementAdvice {
  readonly status: 'good' | 'warning' | 'bad' | 'off';
  readonly word: string;
  /** Orders by urgency, the most urgent first. */
  readonly rank: number;
}

/** Whether an operation can be missed: nobody called it since the server started. */
export function replacementAdviceOf({
  stage,
  calls,
}: Pick<Deprecation, 'stage' | 'calls'>): ReplacementAdvice {
  if (stage === 'removed')
    return calls > 0
      ? { status: 'bad', word: 'removed, still called', rank: 0 }
      : { status: 'off', word: 'removed', rank: 4 };
  if (calls > 0) return { status: 'warning', word: 'still called', rank: 1 };
  return stage === 'deprecated'
    ? { status: 'good', word: 'safe to remove', rank: 2 }
    : { status: 'off', word: 'not called', rank: 3 };
}

/** A client and what of the old operations it calls. */
export interface Client {
  readonly caller: string;
  readonly issuer: string;
  readonly calls: number;
  readonly lastCall: string;
  readonly operations: readonly { readonly operation: Deprecation; readonly calls: number }[];
}

/** Who still calls deprecated operations, most calls first. */
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

/** A stretch of a bar. */
export interface Share {
  readonly name: string;
  readonly count: number;
  /** Of the whole width, 0 to 1. */
  readonly share: number;
}

/**
 * The calls of an operation by client, as shares of the busiest operation's calls: the busiest `most` clients, and the others,
 * known by name or not, together.
 */
export function sharesOf(
  { calls, callers }: Pick<Deprecation, 'calls' | 'callers'>,
  busiest: number,
  most = 4,
): readonly Share[] {
  const named = callers.slice(0, most).map(({ caller, calls: count }) => ({ name: caller, count }));
  const rest = calls - named.reduce((sum, { count }) => sum + count, 0);
  const all = rest > 0 ? [...named, { name: 'others', count: rest }] : named;
  return all.map(({ name, count }) => ({ name, count, share: count / Math.max(busiest, 1) }));
}

/** What the list says at its head. */
export function summaryOf(all: readonly Deprecation[]): string {
  const called = all.filter(({ calls }) => calls > 0).length;
  const clients = clientsOf(all).length;
  if (called === 0) return `None of ${all.length} was called since the server started.`;
  const who = clients === 1 ? '1 client' : `${clients} clients`;
  return `${called} of ${all.length} ${called === 1 ? 'was' : 'were'} called since the server started, by ${who}.`;
}
