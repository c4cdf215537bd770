/** Where wrong passwords are counted. Names that are no account's are apart: strangers must not push the counts of accounts out. */
export type AttemptKind = 'account' | 'stranger' | 'network';

/** One place of a guess, and how many are looked at there. */
export interface ThrottleKey {
  readonly kind: AttemptKind;
  readonly name: string;
  readonly limit: number;
  /** Length of the window that begins with the first. */
  readonly windowMs: number;
}

/** A place that takes no more guesses. */
export interface LockedOutKey {
  readonly place: ThrottleKey;
  /** First millisecond since 1970 at which it does. */
  readonly until: number;
}

/** The counts of wrong passwords that the nodes keep together. Every member throws `store_unavailable`. */
export interface AttemptStore {
  /** Counts one in every place and resolves to nothing; or, where one is locked, counts it nowhere and resolves to that. */
  readonly count: (places: readonly ThrottleKey[], now: number) => Promise<LockedOutKey | undefined>;
  /** Takes one back that turned out to be right. */
  readonly takeBack: (places: readonly ThrottleKey[]) => Promise<void>;
}
