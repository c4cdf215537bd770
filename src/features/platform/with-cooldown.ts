import type { Clock } from '../../lib/clock.js';
import { createCooldown } from '../../lib/cooldown.js';

/** Minimum interval between requested refreshes in milliseconds, because each refresh reads every secret. */
const REFRESH_COOLDOWN_MS = 10_000;

/**
 * Adds a cooldown to a refresh. The function resolves to 0 after a refresh, or to the milliseconds until the
 * next refresh is allowed.
 */
export function withCooldown(clock: Clock, refresh: () => Promise<void>): () => Promise<number> {
  const remaining = createCooldown(clock, REFRESH_COOLDOWN_MS);
  return async () => {
    const waitMs = remaining();
    if (waitMs === 0) await refresh();
    return waitMs;
  };
}
