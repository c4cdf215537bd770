import type { LocatedReference } from './find-references.js';
import type { ChangeListener } from './secret-changes.js';
import type { SecretFailure } from './secret-error.js';
import type { SecretInUse, SecretStatus } from './secret-status.js';
import type { SecretValue } from './secret-value.js';

/** Value of a reference, or the reason why it is unavailable. */
export type Resolution =
  | {
      readonly value: SecretValue;
      /** Version of the secret; absent if its engine keeps none. */
      readonly version?: number;
    }
  | SecretFailure;

/** `read` reads from Vault; `held` uses the last good read, and reads only values that are not cached. */
export type Freshness = 'read' | 'held';

/**
 * A store that references are read from: Vault, files, or another one. `openSecretStores` hands each store the references
 * of its syntax only. A new store needs a syntax in `src/secrets/reference.ts`, a member of `Reference.store`, an
 * implementation of this interface over a `SecretCache`, and an entry in `test/contracts/secret-provider-contract.ts`.
 */
export interface SecretProvider {
  /**
   * Returns the value of every reference, by pointer. Fields of one secret come from one read, so that a user
   * name and its password match. A valid lease is never replaced. Values are not searched for further
   * references. Rejects only on a bug.
   */
  resolve(
    references: readonly LocatedReference[],
    freshness?: Freshness,
  ): Promise<ReadonlyMap<string, Resolution>>;
  /**
   * Sets the references in use, by owner, with the values that were resolved last; replaces the previous set.
   * The store keeps them fresh from then on. It forgets secrets that are no longer named, and revokes unused
   * leases after a delay. Leases of `outdatedOwners` stay, because these owners still use the previous
   * values.
   */
  watch(owners: ReadonlyMap<string, readonly LocatedReference[]>, outdatedOwners?: ReadonlySet<string>): void;
  /**
   * Calls back with the owners for whom a value changed, arrived for the first time, or ended with its lease.
   * Changes of one moment are combined. `resolve(..., 'held')` returns the new values.
   */
  onChange(listener: ChangeListener): void;
  /**
   * Reads the credentials of an owner immediately after an orchestrator refused them; at most once in 30
   * seconds if they have not changed. Resolves to true if a credential changed, or if a change was read before
   * and not announced; change listeners are notified as well.
   */
  refreshAfterRefusal(owner: string): Promise<boolean>;
  /**
   * Reads everything in use now, and renews leases. Resolves after all attempts, when the listeners know every
   * change; `status` reports the failures.
   */
  refresh(): Promise<void>;
  /** Returns state, age and failures of the secrets in use. Contains no path and no value. */
  status(): SecretStatus;
  /** Returns every reference in use with its state. Contains paths, but no values. */
  inUse(): readonly SecretInUse[];
  /** Stops all reads, and releases what the store holds. A second call waits for the first. */
  close(): Promise<void>;
}
