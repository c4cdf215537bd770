import type { Clock } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';

/** Remembers that a login failed: none is tried for a while after it, because wrong passwords lock accounts. */
export interface LoginBackoff {
  /** What the latest login failed with, while no other is to be tried. */
  standing(): Error | undefined;
  /** Begins a while; gives its length in milliseconds. */
  failed(error: unknown): number;
  succeeded(): void;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** A login that was refused is held off twice as long each time; one that did not get through may succeed any moment. */
export function createHoldOff(clock: Clock): LoginBackoff {
  let failure: { readonly error: Error; readonly until: number } | undefined;
  let refusals = 0;
  return {
    standing: () => (failure && clock.now() < failure.until ? failure.error : undefined),
    failed(cause) {
      const isRefused = cause instanceof Problem && cause.code === 'upstream_auth';
      refusals = isRefused ? refusals + 1 : 0;
      const ms = isRefused ? Math.min(LONGEST_MS, FIRST_MS * 2 ** (refusals - 1)) : FIRST_MS;
      const error = cause instanceof Error ? cause : new Error('the login failed', { cause });
      failure = { error, until: clock.now() + ms };
      return ms;
    },
    succeeded() {
      failure = undefined;
      refusals = 0;
    },
  };
}
