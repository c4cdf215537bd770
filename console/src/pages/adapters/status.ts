import type { AdapterStatusView, BreakerState, Rates, TrafficEvent } from '../../api/observe.js';
import type { Status } from '../../kit/status-kinds.js';
import { type PlainKeyOf, textOf } from '../../text/text.js';

/** The severity of a state, and the word that describes the state. */
export interface AdapterStatus {
  readonly status: Status;
  readonly word: string;
}

const text = textOf('status');

const STATES = {
  STARTING: { status: 'busy', key: 'starting' },
  RUNNING: { status: 'good', key: 'running' },
  STOPPING: { status: 'busy', key: 'stopping' },
  STOPPED: { status: 'off', key: 'stopped' },
  DEAD: { status: 'bad', key: 'failed' },
} as const satisfies Record<string, StatusText>;

const SUSPENDED = {
  paused: { status: 'warning', key: 'paused' },
  refusing: { status: 'warning', key: 'blocked' },
} as const satisfies Record<string, StatusText>;

const CONNECTIONS = {
  ONLINE: { status: 'good', key: 'online' },
  OFFLINE: { status: 'bad', key: 'offline' },
  LOGIN_REFUSED: { status: 'bad', key: 'loginRefused' },
  UNKNOWN: { status: 'off', key: 'notContacted' },
} as const satisfies Record<string, StatusText>;

const BREAKERS = {
  closed: { status: 'good', key: 'breakerClosed' },
  open: { status: 'bad', key: 'breakerOpen' },
  'half-open': { status: 'warning', key: 'breakerTesting' },
} as const satisfies Record<BreakerState, StatusText>;

/** The states of a breaker that take the place of the connection, in few letters. */
const OPEN_BREAKERS = {
  open: { status: 'bad', key: 'breakerOpenShort' },
  'half-open': { status: 'warning', key: 'breakerTestingShort' },
} as const satisfies Partial<Record<BreakerState, StatusText>>;

/** A severity, and the key of its word in the area `status`. */
interface StatusText {
  readonly status: Status;
  readonly key: PlainKeyOf<'status'>;
}

function named({ status, key }: StatusText): AdapterStatus {
  return { status, word: text(key) };
}

/** Returns whether the adapter runs, and whether it accepts calls. */
export function stateOf({ state, suspended }: Pick<AdapterStatusView, 'state' | 'suspended'>): AdapterStatus {
  return named(suspended !== null && state === 'RUNNING' ? SUSPENDED[suspended] : STATES[state]);
}

/**
 * Returns whether the orchestrator is reachable and accepts the login; unknown for an adapter that does not run. A circuit
 * breaker that is not closed is named unless the orchestrator is offline or refuses the login.
 */
export function connectionOf({
  state,
  connection,
  breaker,
}: Pick<AdapterStatusView, 'state' | 'connection' | 'breaker'>): AdapterStatus {
  if (state === 'STOPPED' || state === 'DEAD') return named({ status: 'off', key: 'notConnected' });
  const isUsable = connection !== 'OFFLINE' && connection !== 'LOGIN_REFUSED';
  if (isUsable && (breaker === 'open' || breaker === 'half-open')) return named(OPEN_BREAKERS[breaker]);
  return named(CONNECTIONS[connection]);
}

/** Returns the state of a circuit breaker in words. */
export function breakerOf(breaker: BreakerState): AdapterStatus {
  return named(BREAKERS[breaker]);
}

/** Returns the worse of state and connection. */
export function adapterStatusOf(adapter: AdapterStatusView): AdapterStatus {
  const [state, connection] = [stateOf(adapter), connectionOf(adapter)];
  return state.status === 'good' && ['bad', 'warning'].includes(connection.status) ? connection : state;
}

const SEVERITY_ORDER: readonly Status[] = ['bad', 'warning', 'busy', 'good', 'off'];

/** Returns the position in a list with the worst state first. */
export function rankOf(adapter: AdapterStatusView): number {
  return SEVERITY_ORDER.indexOf(adapterStatusOf(adapter).status);
}

/** True if an adapter needs attention. */
export function hasProblem(adapter: AdapterStatusView): boolean {
  return ['bad', 'warning'].includes(adapterStatusOf(adapter).status);
}

/** Returns the adapters with current rates, if the server's events contain newer ones than the reply. */
export function withLiveRates(
  adapters: readonly AdapterStatusView[],
  live: TrafficEvent | undefined,
): readonly AdapterStatusView[] {
  if (!live) return adapters;
  return adapters.map((adapter) => {
    const traffic: Rates | undefined = live.adapters[adapter.name];
    return traffic ? withRates(adapter, traffic) : adapter;
  });
}

const latest = new WeakMap<AdapterStatusView, AdapterStatusView>();

/** Returns an adapter with other rates: the same object for the same rates, so that its row is not rendered again. */
function withRates(adapter: AdapterStatusView, traffic: Rates): AdapterStatusView {
  const known = latest.get(adapter);
  if (known?.traffic === traffic) return known;
  const changed = { ...adapter, traffic };
  latest.set(adapter, changed);
  return changed;
}

/** Returns the filters of the adapter list by state; the value is in the URL. */
export function stateFilters(): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: '', label: text('filterAll') },
    { value: 'problem', label: text('filterProblem') },
    { value: 'running', label: text('filterRunning') },
    { value: 'suspended', label: text('filterSuspended') },
    { value: 'stopped', label: text('filterStopped') },
  ];
}

const STATE_TESTS: Readonly<Record<string, (adapter: AdapterStatusView) => boolean>> = {
  problem: hasProblem,
  running: ({ state }) => state === 'RUNNING',
  suspended: ({ suspended }) => suspended !== null,
  stopped: ({ state }) => state === 'STOPPED',
};

/** Returns the adapters with a state, a type and a tag; empty or unknown values do not filter. */
export function chosenAdapters(
  adapters: readonly AdapterStatusView[],
  { state, type, tag = '' }: { readonly state: string; readonly type: string; readonly tag?: string },
): readonly AdapterStatusView[] {
  const test = STATE_TESTS[state];
  return adapters.filter(
    (adapter) =>
      (!test || test(adapter)) &&
      (type === '' || adapter.type === type) &&
      (tag === '' || adapter.tags.includes(tag)),
  );
}

/** Returns the existing types, sorted. */
export function typesOf(adapters: readonly AdapterStatusView[]): readonly string[] {
  return [...new Set(adapters.map(({ type }) => type))].sort();
}
