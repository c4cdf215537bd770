export interface CallerCalls {
  readonly operation: string;
  /** Subject of the token, or the address if the call has no token. */
  readonly caller: string;
  /** Issuer of the token; empty if the call has no token. */
  readonly issuer: string;
  readonly calls: number;
  /** Time of the latest call, in milliseconds since 1970. */
  readonly lastCall: number;
}

/** Time after its latest call for which a caller is kept, in days. */
export const CALLER_DAYS = 90;

/** Maximum number of stored pairs of caller and operation; those with the oldest calls are removed first. */
export const MAX_STORED_CALLERS = 5_000;

/** Store of the callers of deprecated operations. All nodes add to the same counts. */
export interface DeprecatedCallStore {
  /** Adds the calls of each pair of caller and operation, and removes the callers beyond the limits. */
  readonly add: (counts: readonly CallerCalls[], now: number) => Promise<void>;
  /** Returns the callers of the last {@link CALLER_DAYS} days, those with the most calls first. */
  readonly list: (now: number) => Promise<readonly CallerCalls[]>;
}
