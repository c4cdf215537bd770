import { createSerialQueue } from '../../lib/serial-queue.js';
import type { NotificationState, NotificationStore, ReportedProblem, StateChanges } from './notification.js';

/**
 * States of all receivers as this process knows them. A change that the store did not accept is kept, so that a store that fails
 * repeats no message.
 */
export interface NotificationStates {
  /** Stores the kept changes, and reads the stored states. Throws if the store fails. */
  readonly synchronize: () => Promise<void>;
  readonly all: () => readonly NotificationState[];
  /** Changes states at once, and does not store them before the next {@link synchronize}. */
  readonly change: (changes: StateChanges) => void;
  /** Changes states at once, and stores all kept changes. Does not reject. */
  readonly save: (changes: StateChanges) => Promise<void>;
}

type Key = `${string} ${string}`;

interface Change {
  readonly receiver: string;
  readonly problem: ReportedProblem['id'];
  /** The new state; undefined: none. */
  readonly state: NotificationState | undefined;
  /** True if the stored state is removed first, and is then no earlier version of the new one. */
  readonly isRemoved: boolean;
}

/** Creates the states of a store. No state is known before the first {@link NotificationStates.synchronize}. */
export function createNotificationStates(store: NotificationStore): NotificationStates {
  let known = new Map<Key, NotificationState>();
  /** Changes that are not stored yet. */
  const kept = new Map<Key, Change>();
  // One use of the store at a time: an earlier change must not be stored after a later one.
  const runInTurn = createSerialQueue();

  function apply(change: Change): void {
    const { receiver, problem, state } = change;
    const key: Key = `${receiver} ${problem}`;
    if (state) known.set(key, state);
    else known.delete(key);
  }

  function change({ stored, removed }: StateChanges): void {
    const changes: readonly Omit<Change, 'isRemoved'>[] = [
      ...removed.map((one) => ({ ...one, state: undefined })),
      ...stored.map((state) => ({ receiver: state.receiver, problem: state.problem.id, state })),
    ];
    for (const one of changes) {
      const key: Key = `${one.receiver} ${one.problem}`;
      const next = { ...one, isRemoved: !one.state || (kept.get(key)?.isRemoved ?? false) };
      apply(next);
      kept.set(key, next);
    }
  }

  async function storeKept(): Promise<void> {
    const changes = [...kept];
    if (changes.length === 0) return;
    await store.saveStates({
      stored: changes.flatMap(([, { state }]) => state ?? []),
      removed: changes.flatMap(([, { isRemoved, receiver, problem }]) =>
        isRemoved ? { receiver, problem } : [],
      ),
    });
    // A change that was made meanwhile replaced its entry, which stays.
    for (const [key, one] of changes) if (kept.get(key) === one) kept.delete(key);
  }

  return {
    synchronize: () =>
      runInTurn({}, async () => {
        await storeKept();
        const states = await store.states();
        known = new Map(states.map((state) => [`${state.receiver} ${state.problem.id}`, state]));
        for (const one of kept.values()) apply(one);
      }),
    all: () => [...known.values()],
    change,
    async save(changes) {
      change(changes);
      await runInTurn({}, storeKept).catch(() => undefined);
    },
  };
}
