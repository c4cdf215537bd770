import type { AdapterStatusView, Rates, TrafficEvent } from '../../api/observe.js';
import type { Status } from '../../kit/status-kinds.js';

/** The severity of a state, and the word that describes the state. */
export interface AdapterStatus {
  readonly status: Status;
  readonly word: string;
}

const STATES = {
  STARTING: { status: 'busy', word: 'starting' },
  RUNNING: { status: 'good', word: 'running' },
  STOPPING: { status: 'busy', word: 'stopping' },
  STOPPED: { status: 'off', word: 'stopped' },
  DEAD: { status: 'bad', word: 'dead' },
} as const satisfies Record<string, AdapterStatus>;

const SUSPENDED = {
  paused: { status: 'warning', word: 'paused' },
  refusing: { status: 'warning', word: 'refusing' },
} as const satisfies Record<string, AdapterStatus>;

const CONNECTIONS = {
  ONLINE: { status: 'good', word: 'online' },
  OFFLINE: { status: 'bad', word: 'offline' },
  UNKNOWN: { status: 'off', word: 'not checked yet' },
} as const satisfies Record<string, AdapterStatus>;

/** Returns whether the adapter runs, and whether it accepts calls. */
export function stateOf({ state, suspended }: Pick<AdapterStatusView, 'state' | 'suspended'>): AdapterStatus {
  return suspended !== null && state === 'RUNNING' ? SUSPENDED[suspended] : STATES[state];
}

/** Returns whether the orchestrator is reachable; unknown for an adapter that does not run. */
export function connectionOf({
  state,
  connection,
  breaker,
}: Pick<AdapterStatusView, 'state' | 'connection' | 'breaker'>): AdapterStatus {
  if (state === 'STOPPED' || state === 'DEAD') return { status: 'off', word: 'not connected' };
  if (breaker === 'open') return { status: 'bad', word: 'breaker open' };
  if (breaker === 'half-open') return { status: 'warning', word: 'breaker half open' };
  return CONNECTIONS[connection];
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
    return traffic ? { ...adapter, traffic } : adapter;
  });
}

/** Filters of the adapter list by state; the value is in the URL. */
export const STATE_FILTERS = [
  { value: '', label: 'All' },
  { value: 'problem', label: 'with problems' },
  { value: 'running', label: 'running' },
  { value: 'suspended', label: 'suspended' },
  { value: 'stopped', label: 'stopped' },
] as const;

const STATE_TESTS: Readonly<Record<string, (adapter: AdapterStatusView) => boolean>> = {
  problem: hasProblem,
  running: ({ state }) => state === 'RUNNING',
  suspended: ({ suspended }) => suspended !== null,
  stopped: ({ state }) => state === 'STOPPED',
};

/** Returns the adapters with a state and a type; empty or unknown values do not filter. */
export function chosenAdapters(
  adapters: readonly AdapterStatusView[],
  { state, type }: { readonly state: string; readonly type: string },
): readonly AdapterStatusView[] {
  const test = STATE_TESTS[state];
  return adapters.filter((adapter) => (!test || test(adapter)) && (type === '' || adapter.type === type));
}

/** Returns the existing types, sorted. */
export function typesOf(adapters: readonly AdapterStatusView[]): readonly string[] {
  return [...new Set(adapters.map(({ type }) => type))].sort();
}
