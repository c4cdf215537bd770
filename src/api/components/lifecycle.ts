import type { DesiredState, ComponentOverrides } from '../../core/component.js';
import type { Operation } from '../../core/operation.js';
import type { ComponentKind } from '../../core/platform-state.js';
import { doneSchema } from '../../core/management-reply.js';
import type { LifecycleDeps } from './deps.js';
import { applyRecords } from './apply-records.js';

/** Properties of one kind of component that its lifecycle operations need. */
export interface Lifecycle<Deps> {
  readonly kind: ComponentKind;
  /** Noun in the names of the operations, for example `Adapter`. */
  readonly noun: string;
  /** Throws a Problem if no component has this name. */
  readonly find: (deps: Deps, name: string) => unknown;
  /** Returns a note for the caller if the component does not do what was requested; otherwise ''. */
  readonly but: (deps: Deps, name: string) => string;
  /** Throws a Problem if the component cannot be started. */
  readonly unwrapLegacy: (deps: Deps, name: string) => void;
}

interface LifecycleAction {
  readonly verb: string;
  readonly done: string;
  readonly summary: string;
  readonly next: (overrides: ComponentOverrides) => ComponentOverrides;
}

const DEEDS: readonly LifecycleAction[] = [
  {
    verb: 'start',
    done: 'started',
    summary: 'Start',
    next: (overrides) => setDesiredState(overrides, 'running'),
  },
  {
    verb: 'stop',
    done: 'stopped',
    summary: 'Stop',
    next: (overrides) => setDesiredState(overrides, 'stopped'),
  },
  {
    verb: 'restart',
    done: 'restarted',
    summary: 'Restart',
    next: (overrides) => ({ ...setDesiredState(overrides, 'running'), restarts: overrides.restarts + 1 }),
  },
];

function setDesiredState(overrides: ComponentOverrides, wanted: DesiredState): ComponentOverrides {
  return { ...overrides, wanted };
}

/** Creates the operations that start, stop and restart components of a kind (wire sections 5.2 and 5.3). */
export function lifecycleOperations<Deps extends LifecycleDeps>(
  life: Lifecycle<Deps>,
): readonly Operation<Deps>[] {
  return DEEDS.map(({ verb, done, summary, next }) => ({
    id: `${verb}${life.noun}`,
    summary: `${summary} an ${life.kind}.`,
    method: 'PUT',
    path: `/:name/${verb}`,
    roles: ['admin'],
    reply: doneSchema(`${life.noun} ${done}`),
    audited: true,
    async handle({ params }, deps) {
      const { name = '' } = params;
      if (verb !== 'stop') life.unwrapLegacy(deps, name);
      const change = await overridesFor({ life, name, next }, deps);
      return {
        body: { status: 'OK', message: `Successfully ${done} ${name}.${life.but(deps, name)}` },
        change,
      };
    },
  }));
}

interface LifecycleRequest<Deps> {
  readonly life: Lifecycle<Deps>;
  readonly name: string;
  readonly next: (overrides: ComponentOverrides) => ComponentOverrides;
}

/** Stores and applies the overrides of a component; resolves to the change, for the audit record. */
export async function overridesFor<Deps extends LifecycleDeps>(
  { life, name, next }: LifecycleRequest<Deps>,
  deps: Deps,
): Promise<{ readonly before: unknown; readonly after: unknown }> {
  life.find(deps, name);
  let before: ComponentOverrides | undefined;
  const after = await deps.overrides({ kind: life.kind, name }, (overrides) => {
    before = overrides;
    return next(overrides);
  });
  await applyRecords(deps);
  return { before, after };
}
