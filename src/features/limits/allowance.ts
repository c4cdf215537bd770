import { burstOf, type LimitRule } from '../../core/limits.js';
import type { Clock } from '../../lib/clock.js';
import { createTokenBucket, type TokenBucket, type TokenBucketLimits } from '../../lib/token-bucket.js';

/** What one caller may still do at one limit. */
export interface Allowance {
  /** Returns 0 if the rate permits a call now, otherwise the milliseconds until it does. */
  rateWaitMs(): number;
  /** Returns true if one more call may run while this number of calls runs. */
  hasSlot(running: number): boolean;
  /** Takes a call from the rate, which then runs. */
  take(): void;
  /** Ends a call that runs. */
  end(): void;
  /** Returns how many calls the rate permits now; undefined if the rate is not limited. */
  remaining(): number | undefined;
  /** Returns the milliseconds until the rate permits a full burst. */
  resetMs(): number;
}

/** Returns the token bucket of a rule; undefined if its rate is not limited. `share` is the part of this process, at most 1. */
export function bucketLimits(rule: LimitRule, share = 1): TokenBucketLimits | undefined {
  const { requests, periodSeconds } = rule;
  if (requests === null) return undefined;
  return {
    capacity: Math.max(1, Math.floor(burstOf(rule) * share)),
    refillMs: (periodSeconds * 1000) / (requests * share),
  };
}

/** The part of a limit that this process has for itself, and the calls that it permits at first. */
interface LocalShare {
  readonly share: number;
  readonly level?: number;
}

/** Creates an allowance that only this process counts. */
export function createLocalAllowance(
  clock: Clock,
  rule: LimitRule,
  local: LocalShare = { share: 1 },
): Allowance {
  return new LocalAllowance(clock, rule, local);
}

class LocalAllowance implements Allowance {
  readonly #limits: TokenBucketLimits | undefined;
  readonly #bucket: TokenBucket | undefined;
  readonly #slots: number;

  constructor(clock: Clock, rule: LimitRule, { share, level }: LocalShare) {
    this.#limits = bucketLimits(rule, share);
    this.#bucket =
      this.#limits && createTokenBucket(clock, { ...this.#limits, ...(level !== undefined && { level }) });
    this.#slots = rule.concurrent === null ? Infinity : Math.max(1, Math.floor(rule.concurrent * share));
  }

  rateWaitMs(): number {
    return this.#bucket?.waitMs() ?? 0;
  }

  hasSlot(running: number): boolean {
    return running < this.#slots;
  }

  take(): void {
    this.#bucket?.take();
  }

  end(): void {
    // The caller of `hasSlot` counts the running calls.
  }

  remaining(): number | undefined {
    return this.#bucket && Math.floor(this.#bucket.level());
  }

  resetMs(): number {
    if (!this.#bucket || !this.#limits) return 0;
    return (this.#limits.capacity - this.#bucket.level()) * this.#limits.refillMs;
  }
}
