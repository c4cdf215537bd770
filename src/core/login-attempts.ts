/**
 * Kinds of counters for wrong passwords. Unknown names have a separate kind, so that strangers cannot evict
 * the counters of accounts.
 */
export type AttemptKind = 'account' | 'stranger' | 'network';

/** A counter of wrong passwords, and its limit. */
export interface ThrottleKey {
  readonly kind: AttemptKind;
  readonly name: string;
  readonly limit: number;
  /** Length of the window that starts with the first wrong password, in milliseconds. */
  readonly windowMs: number;
}

/** A counter that has reached its limit. */
export interface LockedOutKey {
  readonly place: ThrottleKey;
  /** First moment when guesses are accepted again, in milliseconds since 1970. */
  readonly until: number;
}

/** Counters of wrong passwords that all nodes share. Every member throws `store_unavailable`. */
export interface AttemptStore {
  /**
   * Increments every counter and resolves to undefined. If a counter is locked, increments none and resolves
   * to the locked one.
   */
  readonly count: (places: readonly ThrottleKey[], now: number) => Promise<LockedOutKey | undefined>;
  /** Reverts one increment of every counter, for a guess that was right. */
  readonly takeBack: (places: readonly ThrottleKey[]) => Promise<void>;
}
