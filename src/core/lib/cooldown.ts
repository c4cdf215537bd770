import type { Clock } from './clock.js';

/** Keeps something from being done again too soon: 0, and it counts as done now; or milliseconds until it may be. */
export function createCooldown(clock: Clock, ms: number): () => number {
  let latest = -Infinity;
  return () => {
    const now = clock.now();
    // A clock that was set back must not lengthen it.
    const waitMs = latest > now ? 0 : latest + ms - now;
    if (waitMs > 0) return waitMs;
    latest = now;
    return 0;
  };
}
