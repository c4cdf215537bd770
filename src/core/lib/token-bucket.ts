import { type Clock, elapsedSince } from './clock.js';

/** Limits of a token bucket. */
export interface TokenBucketLimits {
  /** Number of runs that a full bucket permits at once. */
  readonly capacity: number;
  /** Time after which the bucket permits one more run, in milliseconds. */
  readonly refillMs: number;
}

/** Limit of an action: a burst, and a steady rate afterwards. */
export interface TokenBucket {
  /** Permits a run and returns 0; otherwise returns the milliseconds until the next run is permitted. */
  take(): number;
  /** Fills the bucket. */
  fill(): void;
}

/** Creates a full bucket. */
export function createTokenBucket(clock: Clock, { capacity, refillMs }: TokenBucketLimits): TokenBucket {
  let level = capacity;
  let filledAt = clock.now();
  return {
    take() {
      // A clock that was set back must not prolong the wait.
      level = Math.min(capacity, level + elapsedSince(clock, filledAt) / refillMs);
      filledAt = clock.now();
      if (level < 1) return Math.ceil((1 - level) * refillMs);
      level -= 1;
      return 0;
    },
    fill() {
      level = capacity;
    },
  };
}
