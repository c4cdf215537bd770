import type { Clock } from '../../lib/clock.js';
import type { BreakerSettings } from '../../settings/adapter.js';

/** Result of an attempt: `neither` says nothing about the orchestrator, for example when the caller left. */
export type AttemptResult = 'worked' | 'failed' | 'neither';

/** Permission for one attempt; `end` must be called. */
export interface BreakerPermit {
  end(result: AttemptResult): void;
}

/** Circuit breaker: protects a failing orchestrator and detects its recovery. */
export interface Breaker {
  state(): 'closed' | 'open' | 'half-open';
  /** Returns the number of consecutive failures. */
  failures(): number;
  /**
   * Returns a permit; `undefined` while the breaker is open. A half-open breaker admits one call at a time
   * until a call succeeds.
   */
  admit(): BreakerPermit | undefined;
  /** Reports a result observed outside the breaker, for example by a health probe. */
  report(result: Exclude<AttemptResult, 'neither'>): void;
  /** Returns the milliseconds until a call may be admitted. */
  waitMs(): number;
}

export interface BreakerDeps {
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Called when the breaker opens, tests the orchestrator, or closes; `failures` counts those in a row. */
  readonly onChange?: (state: 'closed' | 'open' | 'half-open', failures: number) => void;
}

/**
 * Maximum random extension of the open time, as a fraction, so that many breakers do not retry at the same
 * time.
 */
const JITTER = 0.1;

/**
 * Creates a closed breaker. After `failures` consecutive failures the breaker is open for `openMs` plus up to
 * a tenth, then half-open: one attempt closes or reopens it.
 */
export function createBreaker({ failures: limit, openMs }: BreakerSettings, deps: BreakerDeps): Breaker {
  const { clock, random, onChange } = deps;
  let failures = 0;
  let openUntil: number | undefined;
  let isProbing = false;
  // Attempts admitted before a state change do not affect the new state.
  let epoch = 0;

  function enter(until: number | undefined): void {
    epoch += 1;
    isProbing = false;
    openUntil = until;
    onChange?.(until === undefined ? 'closed' : 'open', failures);
  }

  function record(result: AttemptResult): void {
    if (result === 'neither') {
      isProbing = false;
    } else if (result === 'worked') {
      failures = 0;
      if (openUntil !== undefined) enter(undefined);
    } else {
      failures += 1;
      if (limit > 0 && failures >= limit) enter(clock.now() + openMs * (1 + JITTER * random()));
    }
  }

  function permitFor(since: number): BreakerPermit {
    let ended = false;
    return {
      end(result) {
        if (!ended && since === epoch) record(result);
        ended = true;
      },
    };
  }

  return {
    state() {
      if (openUntil === undefined) return 'closed';
      return isProbing || clock.now() >= openUntil ? 'half-open' : 'open';
    },
    failures: () => failures,
    admit() {
      if (openUntil === undefined) return permitFor(epoch);
      if (isProbing || clock.now() < openUntil) return undefined;
      epoch += 1;
      isProbing = true;
      onChange?.('half-open', failures);
      return permitFor(epoch);
    },
    report(result) {
      // While the breaker is open, another failure must not delay the next attempt.
      if (result === 'worked' || openUntil === undefined) record(result);
    },
    waitMs: () => (openUntil === undefined ? 0 : Math.max(0, openUntil - clock.now())),
  };
}
