/**
 * Kinds of counters of wrong passwords. `stranger` counts unknown names, whose counters therefore cannot
 * evict those of accounts. `network` counts addresses.
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

/** Counters of wrong passwords, which all nodes share. Every method throws `store_unavailable`. */
export interface AttemptStore {
  /**
   * Increments all counters and resolves to undefined. If a counter is locked, increments none and resolves
   * to the locked counter.
   */
  readonly count: (places: readonly ThrottleKey[], now: number) => Promise<LockedOutKey | undefined>;
  /** Reverts one increment of each counter, after a correct password. */
  readonly takeBack: (places: readonly ThrottleKey[]) => Promise<void>;
}
