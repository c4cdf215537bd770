import type { BreakerSettings } from '../../core/adapter-settings.js';
import type { Clock } from '../../core/lib/clock.js';

/** How a try ended: `neither` says nothing about the orchestrator, for example when the caller left. */
export type AttemptResult = 'worked' | 'failed' | 'neither';

/** The right to try once; it must be ended. */
export interface BreakerPermit {
  end(outcome: AttemptResult): void;
}

/** Spares an orchestrator that fails, and finds out when it is well again. */
export interface Breaker {
  state(): 'closed' | 'open' | 'half-open';
  /** Failures in a row. */
  failures(): number;
  /** `undefined` while it is left alone; afterwards for one call at a time, until one has worked. */
  admit(): BreakerPermit | undefined;
  /** What was seen past the breaker, for example by a health probe. */
  report(outcome: Exclude<AttemptResult, 'neither'>): void;
  /** Milliseconds until a call may be admitted. */
  waitMs(): number;
}

export interface BreakerDeps {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Part of the time by which it is longer at random, so that many do not come back together. */
const JITTER = 0.1;

/**
 * Makes a closed breaker. After so many failures in a row it is open for `openMs` and up to a tenth more, then half-open:
 * one call is tried, and its outcome closes or opens it again.
 */
export function createBreaker({ failures: limit, openMs }: BreakerSettings, deps: BreakerDeps): Breaker {
  const { clock, random } = deps;
  let failures = 0;
  let openUntil: number | undefined;
  let isProbing = false;
  // What was admitted before the state changed has no say in the new one.
  let epoch = 0;

  function enter(until: number | undefined): void {
    epoch += 1;
    isProbing = false;
    openUntil = until;
  }

  function note(outcome: AttemptResult): void {
    if (outcome === 'neither') {
      isProbing = false;
    } else if (outcome === 'worked') {
      failures = 0;
      if (openUntil !== undefined) enter(undefined);
    } else {
      failures += 1;
      if (limit > 0 && failures >= limit) enter(clock.now() + openMs * (1 + JITTER * random()));
    }
  }

  function passFor(since: number): BreakerPermit {
    let ended = false;
    return {
      end(outcome) {
        if (!ended && since === epoch) note(outcome);
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
      if (openUntil === undefined) return passFor(epoch);
      if (isProbing || clock.now() < openUntil) return undefined;
      epoch += 1;
      isProbing = true;
      return passFor(epoch);
    },
    report(outcome) {
      // While it is open, a failure is no news, and must not put off the next try.
      if (outcome === 'worked' || openUntil === undefined) note(outcome);
    },
    waitMs: () => (openUntil === undefined ? 0 : Math.max(0, openUntil - clock.now())),
  };
}
