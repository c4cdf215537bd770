import type { Clock } from './clock.js';

/**
 * Creates a function that limits how often an action runs. It returns 0 and counts the action as done, or
 * returns the milliseconds to wait.
 */
export function createCooldown(clock: Clock, ms: number): () => number {
  let latest = -Infinity;
  return () => {
    const now = clock.now();
    // A clock that was set back must not prolong the wait.
    const waitMs = latest > now ? 0 : latest + ms - now;
    if (waitMs > 0) return waitMs;
    latest = now;
    return 0;
  };
}
