import type { AdapterStatusView } from '../../api/observe.js';
import { type ApiRequest, pathOf } from '../../api/api-request.js';
import { formatAmount } from '../../kit/numbers.js';

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

type ActionTarget = Pick<
  AdapterStatusView,
  'name' | 'state' | 'suspended' | 'inFlight' | 'waiting' | 'origin'
>;

/** Returns the actions that apply in the adapter's current state, the most common first. */
export function actionsOf(adapter: ActionTarget): readonly AdapterAction[] {
  return [...startActions(adapter), ...suspendActions(adapter), ...endActions(adapter)];
}

function startActions(adapter: ActionTarget): readonly AdapterAction[] {
  const { name, state, suspended, waiting } = adapter;
  const start = {
    key: 'start',
    needs: 'startAdapter',
    isDangerous: false,
    request: put(name, 'start'),
  } as const;
  if (suspended !== null && state !== 'STOPPED') {
    const queue = waiting === 0 ? '' : ` It sends ${formatAmount(waiting, 'queued call')} first.`;
    return [{ ...start, verb: 'Resume', effect: `The adapter accepts calls again.${queue}` }];
  }
  if (state !== 'STOPPED' && state !== 'DEAD') return [];
  return [{ ...start, verb: 'Start', effect: 'The adapter connects to its orchestrator and accepts calls.' }];
}

function suspendActions({ name, state, suspended }: ActionTarget): readonly AdapterAction[] {
  if (state !== 'RUNNING') return [];
  const suspend = { needs: 'suspendAdapter', isDangerous: false } as const;
  const actions: readonly AdapterAction[] = [
    {
      ...suspend,
      key: 'pause',
      verb: 'Suspend: queue calls',
      effect:
        'The adapter stays connected. Calls wait in its queue; calls that exceed the limits of the queue get 503.',
      request: put(name, 'suspend', { mode: 'pause' }),
    },
    {
      ...suspend,
      key: 'refuse',
      verb: 'Suspend: refuse calls',
      effect: 'The adapter stays connected. New and queued calls get 503 adapter_suspended at once.',
      request: put(name, 'suspend', { mode: 'error' }),
    },
  ];
  const current = suspended === null ? undefined : suspended === 'paused' ? 'pause' : 'refuse';
  return actions.filter(({ key }) => key !== current);
}

function endActions({ name, state, inFlight, origin }: ActionTarget): readonly AdapterAction[] {
  const inFlightNote = inFlight === 0 ? '' : ` Calls in flight (${inFlight}) finish first.`;
  const restart: AdapterAction = {
    key: 'restart',
    needs: 'restartAdapter',
    verb: 'Restart',
    effect: `The adapter is recreated and reconnected.${inFlightNote} New calls go to the new instance.`,
    isDangerous: false,
    request: put(name, 'restart'),
  };
  const stop: AdapterAction = {
    key: 'stop',
    needs: 'stopAdapter',
    verb: 'Stop',
    effect: `Calls get 503 adapter_unavailable until the adapter is started again. It stays stopped when gatehouse restarts.${inFlightNote}`,
    isDangerous: true,
    request: put(name, 'stop'),
  };
  const remove: AdapterAction = {
    key: 'delete',
    needs: 'deleteAdapter',
    verb: 'Delete',
    effect: `The adapter and its settings are deleted permanently, and calls get 404 adapter_not_found. To keep a copy, export the adapter first.${inFlightNote}`,
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

/** True if the message only confirms the action. Additional text is a warning. */
export function isPlainSuccess(message: string, name: string): boolean {
  const rest = message.replace(/^Successfully \S+ /, '').replace(name, '');
  return message.startsWith('Successfully') && /^[^.]*\.$/.test(rest);
}
