import type { DesiredState, ComponentOverrides } from '../../core/component.js';
import type { Operation } from '../../core/operation.js';
import type { ComponentKind } from '../../core/platform-state.js';
import { doneSchema } from '../../core/management-reply.js';
import type { LifecycleDeps } from './deps.js';
import { applyRecords } from './apply-records.js';

/** What the lifecycle must know of one kind of component. */
export interface Lifecycle<Deps> {
  readonly kind: ComponentKind;
  /** Word of the operations' names, for example `Adapter`. */
  readonly noun: string;
  /** Throws the Problem of a name that nobody has. */
  readonly find: (deps: Deps, name: string) => unknown;
  /** What a caller should know when the component does not do what was asked; empty when it does. */
  readonly but: (deps: Deps, name: string) => string;
  /** Throws the Problem of one that cannot be started. */
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

/** Rows to start, stop and restart components of a kind (wire sections 5.2 and 5.3). */
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

/** Keeps what is wanted of a component and makes it live; resolves to the change, for the audit record. */
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
