import { BoundedMap } from './bounded-map.js';
import type { Clock } from './clock.js';

/** Maximum number of keys whose latest run is known. */
const MAX_KEYS = 10_000;

/**
 * Creates a function that limits an action to one run per interval and key; without a key, all runs count
 * together. It returns 0 and records the action as run, or returns the milliseconds to wait.
 */
export function createCooldown(clock: Clock, ms: number): (key?: string) => number {
  const latest = new BoundedMap<string, number>({ maxEntries: MAX_KEYS });
  return (key = '') => {
    const now = clock.now();
    const since = latest.get(key) ?? -Infinity;
    // A clock that was set back must not prolong the wait.
    const waitMs = since > now ? 0 : since + ms - now;
    if (waitMs > 0) return waitMs;
    latest.set(key, now);
    return 0;
  };
}
