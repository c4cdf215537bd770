import { type ApiRequest, pathOf } from '../../api/api-request.js';
import type { AdapterStatusView } from '../../api/observe.js';
import { textOf } from '../../text/text.js';

const text = textOf('actions');

/** An action on an adapter, with its effect in words. */
export interface AdapterAction {
  readonly key: 'start' | 'resume' | 'stop' | 'restart' | 'pause' | 'block' | 'unschedule' | 'delete';
  /** Id of the operation. */
  readonly needs: string;
  readonly verb: string;
  /** Text in a menu; the verb if absent. */
  readonly menuTitle?: string;
  /** True for an action that can begin later and have an end. */
  readonly canEnd?: boolean;
  /** Effect of confirming the action. */
  readonly effect: string;
  readonly isDangerous: boolean;
  readonly request: ApiRequest;
}

export type ActionTarget = Pick<
  AdapterStatusView,
  'name' | 'state' | 'suspended' | 'scheduled' | 'inFlight' | 'waiting' | 'origin'
>;

/** Returns the actions that apply in the adapter's current state, the most common first. */
export function actionsOf(adapter: ActionTarget): readonly AdapterAction[] {
  return [
    ...startActions(adapter),
    ...suspendActions(adapter),
    ...unscheduleActions(adapter),
    ...endActions(adapter),
  ];
}

function startActions({ name, state, suspended, waiting }: ActionTarget): readonly AdapterAction[] {
  const start = { needs: 'startAdapter', isDangerous: false, request: put(name, 'start') } as const;
  if (suspended !== null && state !== 'STOPPED')
    return [{ ...start, key: 'resume', verb: text('resume'), effect: text('resume.effect', { waiting }) }];
  if (state !== 'STOPPED' && state !== 'DEAD') return [];
  return [{ ...start, key: 'start', verb: text('start'), effect: text('start.effect') }];
}

function suspendActions({ name, state, suspended }: ActionTarget): readonly AdapterAction[] {
  if (state !== 'RUNNING') return [];
  const suspend = { needs: 'suspendAdapter', isDangerous: false, canEnd: true } as const;
  const actions: readonly AdapterAction[] = [
    {
      ...suspend,
      key: 'pause',
      verb: text('pause'),
      menuTitle: text('pause.menu'),
      effect: text('pause.effect'),
      request: put(name, 'suspend', { mode: 'pause' }),
    },
    {
      ...suspend,
      key: 'block',
      verb: text('block'),
      menuTitle: text('block.menu'),
      effect: text('block.effect'),
      request: put(name, 'suspend', { mode: 'error' }),
    },
  ];
  const current = suspended === null ? undefined : suspended === 'paused' ? 'pause' : 'block';
  return actions.filter(({ key }) => key !== current);
}

function unscheduleActions({ name, scheduled }: ActionTarget): readonly AdapterAction[] {
  if (scheduled === null) return [];
  return [
    {
      key: 'unschedule',
      needs: 'cancelScheduledSuspension',
      verb: text('unschedule'),
      effect: text('unschedule.effect'),
      isDangerous: false,
      request: { method: 'DELETE', path: pathOf(['adapters', name, 'suspend']) },
    },
  ];
}

function endActions({ name, state, inFlight, origin }: ActionTarget): readonly AdapterAction[] {
  const withCalls = (effect: string) => `${effect} ${text('inFlight', { count: inFlight })}`.trim();
  const restart: AdapterAction = {
    key: 'restart',
    needs: 'restartAdapter',
    verb: text('restart'),
    effect: withCalls(text('restart.effect')),
    isDangerous: false,
    request: put(name, 'restart'),
  };
  const stop: AdapterAction = {
    key: 'stop',
    needs: 'stopAdapter',
    verb: text('stop'),
    effect: withCalls(text('stop.effect')),
    isDangerous: true,
    request: put(name, 'stop'),
  };
  const remove: AdapterAction = {
    key: 'delete',
    needs: 'deleteAdapter',
    verb: text('delete'),
    effect: withCalls(text('delete.effect')),
    isDangerous: true,
    request: { method: 'DELETE', path: pathOf(['adapters', name]) },
  };
  return [
    ...(state === 'STOPPED' ? [] : [restart]),
    ...(state === 'STOPPED' || state === 'STOPPING' ? [] : [stop]),
    ...(origin.kind === 'record' ? [remove] : []),
  ];
}

function put(name: string, verb: string, body?: object): ApiRequest {
  return { method: 'PUT', path: pathOf(['adapters', name, verb]), ...(body !== undefined && { body }) };
}

/** Reason of an action, when it begins, and after how many seconds it ends, as their fields contain them. */
export interface ActionTerms {
  readonly comment: string;
  /** Time of a later begin in RFC 3339; empty for an action that begins at once. */
  readonly starts: string;
  /** Number of seconds, or the time of the end in RFC 3339; empty for an action without an end. */
  readonly seconds: string;
}

/** Returns the number of seconds from the begin to the end; undefined without an end, negative for one before the begin. */
function secondsOf({ starts, seconds }: Pick<ActionTerms, 'starts' | 'seconds'>): number | undefined {
  if (seconds === '') return undefined;
  const begin = starts === '' ? Date.now() : Date.parse(starts);
  return /^\d+$/.test(seconds) ? Number(seconds) : Math.round((Date.parse(seconds) - begin) / 1000);
}

/** Returns true unless the end of an action is before its begin. */
export function isEndValid(terms: Pick<ActionTerms, 'starts' | 'seconds'>): boolean {
  return (secondsOf(terms) ?? 1) > 0;
}

/** Returns true for an action that begins at once, or at a time that has not passed. */
export function isStartValid({ starts }: Pick<ActionTerms, 'starts'>): boolean {
  return starts === '' || Date.parse(starts) > Date.now();
}

/** No reason, no later begin and no end. */
export const NO_TERMS: ActionTerms = { comment: '', starts: '', seconds: '' };

/** Returns the request of an action with its reason, begin and end: in the body if it has one, else in the query. */
export function requestOf(
  { request }: Pick<AdapterAction, 'request'>,
  { comment, ...terms }: ActionTerms,
): ApiRequest {
  const reason = comment.trim();
  const seconds = secondsOf(terms);
  if (request.body !== undefined)
    return {
      ...request,
      body: {
        ...(request.body as object),
        ...(reason !== '' && { comment: reason }),
        ...(terms.starts !== '' && { starts: terms.starts }),
        ...(seconds !== undefined && { seconds }),
      },
    };
  if (reason === '') return request;
  return { ...request, path: `${request.path}?${new URLSearchParams({ comment: reason }).toString()}` };
}

/** A log level, and the terms of its change as their fields contain them; empty ones are left out. */
export interface LevelTerms extends ActionTerms {
  readonly level: string;
  /** Empty for all outputs. */
  readonly transport: string;
}

/** Entries of the fields before the user changes them. */
export const LEVEL_PRESET: LevelTerms = { level: 'info', transport: '', ...NO_TERMS };

/** Returns the request that sets the log level of an adapter. */
export function levelRequest(name: string, { level, seconds, transport, comment }: LevelTerms): ApiRequest {
  const properties = {
    level,
    ...(transport !== '' && { transport }),
    ...(seconds !== '' && { seconds: Number(seconds) }),
  };
  return requestOf({ request: put(name, 'loglevel', { properties }) }, { ...NO_TERMS, comment });
}

/** Returns whether the connection of an adapter can be tested: a stopped adapter has none. */
export function isTestable({ state }: Pick<AdapterStatusView, 'state'>): boolean {
  return state !== 'STOPPED' && state !== 'DEAD';
}

/** Returns the request that tests the connection of an adapter now. */
export function testRequest(name: string): ApiRequest {
  return { method: 'POST', path: pathOf(['console', 'adapters', name, 'test']) };
}

/** True if the message only confirms the action. Additional text is a warning. */
export function isPlainSuccess(message: string, name: string): boolean {
  const rest = message
    .replace(/^Successfully \S+ /, '')
    .replace(name, '')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '');
  return message.startsWith('Successfully') && /^[^.]*\.$/.test(rest);
}
