import type { AdapterStatusView } from '../../api/observe.js';
import { type ApiRequest, pathOf } from '../../api/api-request.js';
import { amountWords } from '../../kit/numbers.js';

/** An action on an adapter, with its effect in words. */
export interface AdapterAction {
  readonly key: 'start' | 'stop' | 'restart' | 'pause' | 'refuse' | 'delete';
  /** Id of the operation. */
  readonly needs: string;
  readonly verb: string;
  /** Effect of confirming the action. */
  readonly effect: string;
  readonly isDangerous: boolean;
  readonly request: ApiRequest;
}

type Shown = Pick<AdapterStatusView, 'name' | 'state' | 'suspended' | 'inFlight' | 'waiting' | 'origin'>;

/** Returns the actions that apply in the adapter's current state, the most common first. */
export function deedsOf(adapter: Shown): readonly AdapterAction[] {
  return [...startDeeds(adapter), ...heldDeeds(adapter), ...endDeeds(adapter)];
}

function startDeeds(adapter: Shown): readonly AdapterAction[] {
  const { name, state, suspended, waiting } = adapter;
  const start = {
    key: 'start',
    needs: 'startAdapter',
    isDangerous: false,
    request: put(name, 'start'),
  } as const;
  if (suspended !== null && state !== 'STOPPED') {
    const queue = waiting === 0 ? '' : ` ${amountWords(waiting, 'call')} that wait go first.`;
    return [{ ...start, verb: 'Resume', effect: `Its calls go on.${queue}` }];
  }
  if (state !== 'STOPPED' && state !== 'DEAD') return [];
  return [{ ...start, verb: 'Start', effect: 'It connects to its orchestrator and takes calls again.' }];
}

function heldDeeds({ name, state, suspended }: Shown): readonly AdapterAction[] {
  if (state !== 'RUNNING') return [];
  const hold = { needs: 'suspendAdapter', isDangerous: false } as const;
  const deeds: readonly AdapterAction[] = [
    {
      ...hold,
      key: 'pause',
      verb: 'Suspend: let calls wait',
      effect: 'It stays connected. Calls wait as long as its queue lets them, then they get 503.',
      request: put(name, 'suspend', { mode: 'pause' }),
    },
    {
      ...hold,
      key: 'refuse',
      verb: 'Suspend: refuse calls',
      effect: 'It stays connected. Calls get 503 adapter_suspended at once, also those that wait now.',
      request: put(name, 'suspend', { mode: 'error' }),
    },
  ];
  const now = suspended === null ? undefined : suspended === 'paused' ? 'pause' : 'refuse';
  return deeds.filter(({ key }) => key !== now);
}

function endDeeds({ name, state, inFlight, origin }: Shown): readonly AdapterAction[] {
  const underWay = inFlight === 0 ? '' : ` ${amountWords(inFlight, 'call')} under way end first.`;
  const restart: AdapterAction = {
    key: 'restart',
    needs: 'restartAdapter',
    verb: 'Restart',
    effect: `The adapter is recreated and reconnected.${underWay} New calls go to the new instance.`,
    isDangerous: false,
    request: put(name, 'restart'),
  };
  const stop: AdapterAction = {
    key: 'stop',
    needs: 'stopAdapter',
    verb: 'Stop',
    effect: `Calls to it get 503 adapter_unavailable until it is started again; restarts of gatehouse leave it stopped.${underWay}`,
    isDangerous: true,
    request: put(name, 'stop'),
  };
  const remove: AdapterAction = {
    key: 'delete',
    needs: 'deleteAdapter',
    verb: 'Delete',
    effect: `Its settings are gone for good, and calls to it get 404 adapter_not_found. Export it first if you may want it back.${underWay}`,
    isDangerous: true,
    request: { method: 'DELETE', path: pathOf(['adapters', name]) },
  };
  return [
    ...(state === 'STOPPED' ? [] : [restart]),
    ...(state === 'STOPPED' || state === 'STOPPING' ? [] : [stop]),
    ...(origin.kind === 'record' ? [remove] : []),
  ];
}

function put(name: string, verb: string, body?: unknown): ApiRequest {
  return { method: 'PUT', path: pathOf(['adapters', name, verb]), ...(body !== undefined && { body }) };
}

/** True if the message only confirms the action; any additional text must be shown. */
export function isPlainSuccess(message: string, name: string): boolean {
  const rest = message.replace(/^Successfully \S+ /, '').replace(name, '');
  return message.startsWith('Successfully') && /^[^.]*\.$/.test(rest);
}
