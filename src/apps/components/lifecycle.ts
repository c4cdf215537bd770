import type { Wanted, Wish } from '../../domain/component.js';
import type { Operation } from '../../domain/operation.js';
import type { ComponentKind } from '../../domain/platform-state.js';
import { doneSchema } from '../../domain/management-reply.js';
import type { LifecycleDeps } from './deps.js';
import { takeUp } from './take-up.js';

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
  readonly unlock: (deps: Deps, name: string) => void;
}

interface Deed {
  readonly verb: string;
  readonly done: string;
  readonly summary: string;
  readonly next: (wish: Wish) => Wish;
}

const DEEDS: readonly Deed[] = [
  { verb: 'start', done: 'started', summary: 'Start', next: (wish) => want(wish, 'running') },
  { verb: 'stop', done: 'stopped', summary: 'Stop', next: (wish) => want(wish, 'stopped') },
  {
    verb: 'restart',
    done: 'restarted',
    summary: 'Restart',
    next: (wish) => ({ ...want(wish, 'running'), restarts: wish.restarts + 1 }),
  },
];

function want(wish: Wish, wanted: Wanted): Wish {
  return { ...wish, wanted };
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
      if (verb !== 'stop') life.unlock(deps, name);
      const change = await wishFor({ life, name, next }, deps);
      return {
        body: { status: 'OK', message: `Successfully ${done} ${name}.${life.but(deps, name)}` },
        change,
      };
    },
  }));
}

interface Asked<Deps> {
  readonly life: Lifecycle<Deps>;
  readonly name: string;
  readonly next: (wish: Wish) => Wish;
}

/** Keeps what is wanted of a component and makes it live; resolves to the change, for the audit record. */
export async function wishFor<Deps extends LifecycleDeps>(
  { life, name, next }: Asked<Deps>,
  deps: Deps,
): Promise<{ readonly before: unknown; readonly after: unknown }> {
  life.find(deps, name);
  let before: Wish | undefined;
  const after = await deps.wish({ kind: life.kind, name }, (wish) => {
    before = wish;
    return next(wish);
  });
  await takeUp(deps);
  return { before, after };
}
