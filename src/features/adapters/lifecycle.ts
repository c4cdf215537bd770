import type { ComponentOverrides, DesiredState, StateRequest } from '../../core/component.js';
import { formatFault } from '../../core/fault.js';
import type { Operation } from '../../core/operation.js';
import type { ComponentKind, OverridesAct } from '../../core/platform-state.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import { Problem } from '../../core/problem.js';
import type { ActAction, ChangeNote } from '../../core/record-history.js';
import { changeNote, changeTermsOf, commentQuery } from '../lib/change-terms.js';
import { doneSchema } from '../lib/management-schemas.js';
import type { LifecycleDeps } from './deps.js';

/** Properties of one kind of component that its lifecycle operations need. */
export interface Lifecycle<Deps> {
  readonly kind: ComponentKind;
  /** Noun in the names of the operations, for example `Adapter`. */
  readonly noun: string;
  /** Throws a Problem if no component has this name. */
  readonly find: (deps: Deps, name: string) => unknown;
  /** Returns a sentence for the caller if the component does not serve as requested; otherwise ''. */
  readonly noteOf: (deps: Deps, name: string) => string;
  readonly problems: readonly ProblemCode[];
  /** Throws a Problem if the component cannot be started. */
  readonly requireStartable: (deps: Deps, name: string) => void;
}

interface LifecycleAction {
  readonly verb: string;
  readonly participle: 'started' | 'stopped' | 'restarted';
  readonly summary: string;
  /** What the action does, after the noun. */
  readonly effect: Readonly<Record<ComponentKind, string>>;
  readonly next: (overrides: ComponentOverrides, request: StateRequest) => ComponentOverrides;
}

const STOPPED =
  'after its running calls; it stays stopped until it is started, also after the next start of the server';

const LIFECYCLE_ACTIONS: readonly LifecycleAction[] = [
  {
    verb: 'start',
    participle: 'started',
    summary: 'Start',
    effect: {
      adapter: 'that was stopped or suspended, also after the next start of the server',
      application: 'that was stopped, also after the next start of the server',
    },
    next: (overrides) => setDesiredState(overrides, 'running'),
  },
  {
    verb: 'stop',
    participle: 'stopped',
    summary: 'Stop',
    effect: { adapter: STOPPED, application: STOPPED },
    next: (overrides, request) => setDesiredState(overrides, 'stopped', request),
  },
  {
    verb: 'restart',
    participle: 'restarted',
    summary: 'Restart',
    effect: {
      adapter: 'anew, with new connections; its running calls end first',
      application: 'anew; its running calls end first',
    },
    next: (overrides) => ({ ...setDesiredState(overrides, 'running'), restarts: overrides.restarts + 1 }),
  },
];

/** Returns the overrides with another desired state, and with the request for a state other than `running`. */
export function setDesiredState(
  { request: _previous, ...overrides }: ComponentOverrides,
  wanted: DesiredState,
  request?: StateRequest,
): ComponentOverrides {
  return { ...overrides, wanted, ...(request && { request }) };
}

/** Returns the request with the author, the time and the reason of a note. */
export function stateRequest({ by, at, comment }: ChangeNote, until?: number): StateRequest {
  return { by, at: at ?? 0, ...(comment !== undefined && { reason: comment }), ...(until && { until }) };
}

/** Creates the operations that start, stop and restart components of a kind (wire sections 5.2 and 5.3). */
export function lifecycleOperations<Deps extends LifecycleDeps>(
  lifecycle: Lifecycle<Deps>,
): readonly Operation<Deps>[] {
  return LIFECYCLE_ACTIONS.map(({ verb, participle, summary, effect, next }) => ({
    id: `${verb}${lifecycle.noun}`,
    summary: `${summary} an ${lifecycle.kind}.`,
    description: `${summary}s an ${lifecycle.kind} ${effect[lifecycle.kind]}.`,
    problems: lifecycle.problems,
    method: 'PUT',
    path: `/:name/${verb}`,
    roles: ['admin'],
    query: commentQuery,
    reply: doneSchema(`${lifecycle.noun} ${participle}`),
    audited: true,
    async handle(call, deps) {
      const { name = '' } = call.params;
      if (verb !== 'stop') lifecycle.requireStartable(deps, name);
      const note = changeNote(call, changeTermsOf(call.query), deps.now());
      const change = await changeOverrides(
        {
          lifecycle,
          name,
          next: (overrides) => next(overrides, stateRequest(note)),
          act: (before) => ({ entry: { action: actionOf(participle, before) }, note }),
        },
        deps,
      );
      const message = `Successfully ${participle} ${name}.${lifecycle.noteOf(deps, name)}`;
      return { body: { status: 'OK', message }, change };
    },
  }));
}

/** Starting a suspended component resumes its calls. */
function actionOf(participle: LifecycleAction['participle'], { wanted }: ComponentOverrides): ActAction {
  return participle === 'started' && (wanted === 'paused' || wanted === 'refusing') ? 'resumed' : participle;
}

interface OverridesChange<Deps> {
  readonly lifecycle: Lifecycle<Deps>;
  readonly name: string;
  readonly next: (overrides: ComponentOverrides) => ComponentOverrides;
  /** Returns the entry of the timeline for the overrides before the change. */
  readonly act: (before: ComponentOverrides) => OverridesAct;
}

/**
 * Stores and applies the overrides of a component. Resolves to the overrides before and after the change, for
 * the audit record.
 */
export async function changeOverrides<Deps extends LifecycleDeps>(
  { lifecycle, name, next, act }: OverridesChange<Deps>,
  deps: Deps,
): Promise<{ readonly before: ComponentOverrides | undefined; readonly after: ComponentOverrides }> {
  lifecycle.find(deps, name);
  let before: ComponentOverrides | undefined;
  const after = await deps.overrides(
    { kind: lifecycle.kind, name },
    (overrides) => {
      before = overrides;
      return next(overrides);
    },
    act,
  );
  await applyRecords(deps);
  return { before, after };
}

/** Applies the stored records to the running server. Throws `not_taken_up` if faults prevent that. */
export async function applyRecords({ apply }: LifecycleDeps): Promise<void> {
  const faults = await apply();
  if (faults.length === 0) return;
  throw new Problem('not_taken_up', `stored, but not applied: ${faults.map(formatFault).join('; ')}`);
}
