import { createHmac, randomBytes } from 'node:crypto';
import type { Log } from '../core/log.js';
import type { Scheduler } from '../lib/clock.js';
import type { Reference } from './reference.js';
import { failureOf } from './secret-error.js';
import type { SecretData, SecretStore } from './store.js';

// Random for each process, so that a fingerprint reveals nothing about a value.
const FINGERPRINT_KEY = randomBytes(32);

/**
 * Returns a fingerprint (HMAC-SHA256) of the values that references select from a secret. Equal values have
 * equal fingerprints; other fields have no influence. A reference without a value contributes the code of its
 * failure.
 */
export function fingerprintOf(data: SecretData, references: readonly Reference[]): string {
  const values = references.map((reference) => [
    reference.field,
    reference.encoding,
    valueOrFailureCode(data, reference),
  ]);
  return createHmac('sha256', FINGERPRINT_KEY).update(JSON.stringify(values)).digest('base64');
}

function valueOrFailureCode(data: SecretData, reference: Reference): unknown {
  try {
    return { value: data.select(reference) };
  } catch (error) {
    return failureOf(error).code;
  }
}

/** Collects changes for a moment, and notifies listeners of the affected owners. */
export interface ChangeNotifier {
  /** Adds an owner to the changes of this moment, or of the round of the store. */
  add(owner: string, store: SecretStore): void;
  /** Runs reads of a store, and adds the owners that they change after the last read, however slow the store is. */
  round(store: SecretStore, reads: () => Promise<void>): Promise<void>;
  /** Returns true if a change of the owner was not announced yet. */
  isPending(owner: string): boolean;
  /** Announces the collected changes now. */
  flush(): void;
  onChange(listener: ChangeListener): void;
  close(): void;
}

export type ChangeListener = (owners: ReadonlySet<string>) => void;

/**
 * Time to collect the changes of one round of reads, for example of a user name and a key, in milliseconds. It is
 * short, because a value that was read must be used.
 */
const COLLECT_MS = 100;

/** Reads of a store whose changes are announced together. */
interface Round {
  running: number;
  readonly owners: Set<string>;
}

/** Creates a notifier. A listener that throws does not affect other listeners. */
export function createChangeNotifier(scheduler: Scheduler, log: Log): ChangeNotifier {
  const listeners: ChangeListener[] = [];
  const rounds = new Map<SecretStore, Round>();
  let pendingOwners = new Set<string>();
  let cancel: (() => void) | undefined;
  const notify = (): void => {
    const owners = pendingOwners;
    cancel?.();
    [pendingOwners, cancel] = [new Set(), undefined];
    if (owners.size === 0) return;
    for (const listener of listeners) {
      try {
        listener(owners);
      } catch (error) {
        log.error('secret change listener failed', {
          error: error instanceof Error ? error.name : 'unknown',
        });
      }
    }
  };
  const announce = (owner: string): void => {
    pendingOwners.add(owner);
    cancel ??= scheduler.after(COLLECT_MS, notify);
  };
  return {
    add: (owner, store) => {
      const round = rounds.get(store);
      if (round) round.owners.add(owner);
      else announce(owner);
    },
    async round(store, reads) {
      const round = rounds.get(store) ?? { running: 0, owners: new Set() };
      rounds.set(store, round);
      round.running += 1;
      try {
        await reads();
      } finally {
        round.running -= 1;
        if (round.running === 0) {
          rounds.delete(store);
          for (const owner of round.owners) announce(owner);
        }
      }
    },
    isPending: (owner) =>
      pendingOwners.has(owner) || [...rounds.values()].some(({ owners }) => owners.has(owner)),
    flush: notify,
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => cancel?.(),
  };
}
