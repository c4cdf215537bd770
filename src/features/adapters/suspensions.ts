import type { ComponentOverrides, StateRequest } from '../../core/component.js';
import type { Operation } from '../../core/operation.js';
import type { OverridesAct } from '../../core/platform-state.js';
import { Problem } from '../../core/problem.js';
import { parseRfc3339 } from '../../http/query-parameters.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { changeNote, changeTermsOf, commentMember, commentQuery } from '../lib/change-terms.js';
import { doneSchema } from '../lib/management-schemas.js';
import type { AdaptersDeps } from './deps.js';
import { changeOverrides, type Lifecycle, setDesiredState, stateRequest } from './lifecycle.js';

/** Maximum duration of a suspension with an end, in seconds: 30 days. */
const MAX_SUSPENSION_SECONDS = 30 * 86_400;

/** Maximum time until a scheduled suspension begins, in milliseconds: one year. */
const MAX_AHEAD_MS = 366 * 86_400_000;

/** Maximum time since a begin that means at once, in milliseconds: the clock of the caller may be slow. */
const MAX_BEHIND_MS = 300_000;

/** Request body of a suspension; an absent body is `pause`. */
const suspensionSchema = {
  title: 'Suspension',
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: {
      enum: ['pause', 'error'],
      description:
        'pause, the default: calls wait as long as the queue of the adapter allows; error: calls fail with status 503',
    },
    starts: {
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Time when the suspension begins, at most a year ahead; absent, or at most five minutes ago: at once. It replaces a suspension that was scheduled before',
    },
    seconds: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_SUSPENSION_SECONDS,
      description:
        'Time from the begin until the adapter resumes by itself; absent: until the adapter is started',
    },
    ...commentMember,
  },
} as const;

/** Creates the operations that suspend adapters and that cancel a scheduled suspension. */
export function suspensionOperations(
  lifecycle: Lifecycle<AdaptersDeps>,
): readonly Operation<AdaptersDeps, never>[] {
  return [suspendOperation(lifecycle), cancelOperation(lifecycle)];
}

function suspendOperation(
  lifecycle: Lifecycle<AdaptersDeps>,
): Operation<AdaptersDeps, FromSchema<typeof suspensionSchema> | undefined> {
  return {
    id: 'suspendAdapter',
    summary: 'Suspend the calls to an adapter, which stays connected; starting the adapter resumes them.',
    description:
      'Lets the calls to an adapter wait, or refuses them, while the adapter stays connected. With `starts`, the suspension begins later, on all nodes; an adapter that is stopped at that time stays stopped. `startAdapter` ends the suspension; with `seconds`, it ends by itself, also after a restart of the server.',
    problems: ['adapter_not_found', 'not_taken_up'],
    method: 'PUT',
    path: '/:name/suspend',
    roles: ['admin'],
    body: suspensionSchema,
    bodyOptional: true,
    reply: doneSchema('Suspended adapter'),
    audited: true,
    async handle(call, deps) {
      const { name = '' } = call.params;
      const { mode, starts, seconds, ...terms } = call.body ?? {};
      const note = changeNote(call, terms, deps.now());
      const now = Math.floor(deps.now());
      const from = timeOfStart(starts ?? undefined, now);
      const until = seconds ? (from ?? now) + seconds * 1000 : undefined;
      const wanted = mode === 'error' ? 'refusing' : 'paused';
      const suspension = { wanted, from, request: stateRequest(note, until) } as const;
      const change = await changeOverrides(
        {
          lifecycle,
          name,
          next: (overrides) => withSuspension(overrides, suspension),
          act: () => ({ entry: entryOf(suspension), note }),
        },
        deps,
      );
      return { body: { status: 'OK', message: messageOf(name, suspension) }, change };
    },
  };
}

/** A suspension that begins at once, or at `from`. */
interface Suspension {
  readonly wanted: 'paused' | 'refusing';
  readonly from: number | undefined;
  readonly request: StateRequest;
}

/** Returns the time of a later begin; undefined for a begin at once. Throws `invalid_request` for a begin that is past or too far ahead. */
function timeOfStart(starts: string | undefined, now: number): number | undefined {
  const from = starts === undefined ? now : parseRfc3339(starts);
  const isPast = from !== undefined && from < now - MAX_BEHIND_MS;
  if (from !== undefined && !isPast && from <= now + MAX_AHEAD_MS) return from <= now ? undefined : from;
  const message = isPast
    ? 'is in the past; leave it out to suspend the adapter now'
    : 'must be a date and time as in RFC 3339, at most a year ahead';
  throw new Problem('invalid_request', `/starts ${message}`, { errors: [{ pointer: '/starts', message }] });
}

function withSuspension(
  overrides: ComponentOverrides,
  { wanted, from, request }: Suspension,
): ComponentOverrides {
  return from === undefined
    ? setDesiredState(overrides, wanted, request)
    : { ...overrides, scheduled: { wanted, from, request } };
}

function entryOf({ wanted, from, request: { until } }: Suspension): OverridesAct['entry'] {
  if (from !== undefined) return { action: 'scheduled', until, detail: new Date(from).toISOString() };
  return { action: wanted === 'paused' ? 'paused' : 'blocked', until };
}

function messageOf(name: string, { wanted, from, request: { until } }: Suspension): string {
  const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
  if (from === undefined)
    return `Successfully suspended ${name}: ${wanted === 'paused' ? 'its calls wait' : 'its calls are refused'}${end}.`;
  const effect = wanted === 'paused' ? 'its calls will wait' : 'its calls will be refused';
  return `Successfully scheduled a suspension of ${name}: ${effect} from ${new Date(from).toISOString()}${end}.`;
}

function cancelOperation(lifecycle: Lifecycle<AdaptersDeps>): Operation<AdaptersDeps> {
  return {
    id: 'cancelScheduledSuspension',
    summary: 'Delete the scheduled suspension of an adapter.',
    description:
      'Cancels a suspension that has not begun. Does nothing if none is scheduled. `startAdapter` ends one that has begun.',
    problems: ['adapter_not_found', 'not_taken_up'],
    method: 'DELETE',
    path: '/:name/suspend',
    roles: ['admin'],
    query: commentQuery,
    reply: doneSchema('Canceled suspension'),
    audited: true,
    async handle(call, deps) {
      const { name = '' } = call.params;
      const note = changeNote(call, changeTermsOf(call.query), deps.now());
      const change = await changeOverrides(
        {
          lifecycle,
          name,
          next: (overrides) => (overrides.scheduled ? withoutScheduled(overrides) : overrides),
          act: () => ({ entry: { action: 'unscheduled' }, note }),
        },
        deps,
      );
      const message =
        change.before === change.after
          ? `No suspension of ${name} is scheduled.${isSuspended(change.after) ? ' It is suspended now: start the adapter to resume its calls.' : ''}`
          : `Successfully canceled the scheduled suspension of ${name}.`;
      return { body: { status: 'OK', message }, change };
    },
  };
}

function isSuspended({ wanted }: ComponentOverrides): boolean {
  return wanted === 'paused' || wanted === 'refusing';
}

function withoutScheduled({ scheduled: _scheduled, ...overrides }: ComponentOverrides): ComponentOverrides {
  return overrides;
}
