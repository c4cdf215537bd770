import { type Clock, elapsedSince } from './clock.js';

export interface TokenBucketLimits {
  /** Number of runs that a full bucket permits at once. */
  readonly capacity: number;
  /** Time after which the bucket permits one more run, in milliseconds. */
  readonly refillMs: number;
  /** Number of runs that the new bucket permits at once; default: the capacity. */
  readonly level?: number;
}

/** Limit of an action: a burst, and a steady rate afterwards. */
export interface TokenBucket {
  /** Permits a run and returns 0; otherwise returns the milliseconds until the next run is permitted. */
  take(): number;
  /** Returns 0 if a run is permitted now; otherwise the milliseconds until the next run is permitted. Permits nothing. */
  waitMs(): number;
  /** Returns how many runs are permitted now; not a whole number. */
  level(): number;
  fill(): void;
}

export function createTokenBucket(clock: Clock, limits: TokenBucketLimits): TokenBucket {
  return new RefillingBucket(clock, limits);
}

/** A class, because thousands of callers have a bucket and the functions then exist once. */
class RefillingBucket implements TokenBucket {
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  #level: number;
  #filledAt: number;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#level = limits.level ?? limits.capacity;
    this.#filledAt = clock.now();
  }

  take(): number {
    const wait = this.waitMs();
    if (wait === 0) this.#level -= 1;
    return wait;
  }

  waitMs(): number {
    const level = this.level();
    return level < 1 ? Math.ceil((1 - level) * this.#limits.refillMs) : 0;
  }

  level(): number {
    const { capacity, refillMs } = this.#limits;
    // A clock that was set back must not prolong the wait.
    this.#level = Math.min(capacity, this.#level + elapsedSince(this.#clock, this.#filledAt) / refillMs);
    this.#filledAt = this.#clock.now();
    return this.#level;
  }

  fill(): void {
    this.#level = this.#limits.capacity;
  }
}
