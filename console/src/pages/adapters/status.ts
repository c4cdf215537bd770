import type { AdapterPicture, Rates, TrafficEvent } from '../../api/observe.js';
import type { Status } from '../../kit/status-kinds.js';

/** How something stands: for the eye, and in a word. */
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
  UNKNOWN: { status: 'off', word: 'not tried yet' },
} as const satisfies Record<string, AdapterStatus>;

/** Whether it runs, and whether it lets calls through. */
export function stateOf({ state, suspended }: Pick<AdapterPicture, 'state' | 'suspended'>): AdapterStatus {
  return suspended !== null && state === 'RUNNING' ? SUSPENDED[suspended] : STATES[state];
}

/** Whether its orchestrator can be reached; of one that does not run, nothing is known. */
export function connectionOf({
  state,
  connection,
  breaker,
}: Pick<AdapterPicture, 'state' | 'connection' | 'breaker'>): AdapterStatus {
  if (state === 'STOPPED' || state === 'DEAD') return { status: 'off', word: 'not connected' };
  if (breaker === 'open') return { status: 'bad', word: 'breaker open' };
  if (breaker === 'half-open') return { status: 'warning', word: 'breaker half open' };
  return CONNECTIONS[connection];
}

/** The worse of the two: what is to be known first of an adapter. */
export function adapterStatusOf(adapter: AdapterPicture): AdapterStatus {
  const [state, connection] = [stateOf(adapter), connectionOf(adapter)];
  return state.status === 'good' && ['bad', 'warning'].includes(connection.status) ? connection : state;
}

const ORDER: readonly Status[] = ['bad', 'warning', 'busy', 'good', 'off'];

/** Place in a list that has the worst first. */
export function rankOf(adapter: AdapterPicture): number {
  return ORDER.indexOf(adapterStatusOf(adapter).status);
}

/** True when somebody should look at it. */
export function isTroubled(adapter: AdapterPicture): boolean {
  return ['bad', 'warning'].includes(adapterStatusOf(adapter).status);
}

/** The adapters with the rates of now, where the server's events told some since the reply came. */
export function withLiveRates(
  adapters: readonly AdapterPicture[],
  live: TrafficEvent | undefined,
): readonly AdapterPicture[] {
  if (!live) return adapters;
  return adapters.map((adapter) => {
    const traffic: Rates | undefined = live.adapters[adapter.name];
    return traffic ? { ...adapter, traffic } : adapter;
  });
}
