import type { Clock } from '../core/lib/clock.js';

/** Minimum time between two reads for one owner, in milliseconds. */
const EVERY_MS = 30_000;

/**
 * Creates a function that reads the secrets of an owner after a refusal by its orchestrator. Concurrent calls
 * share one read. Calls within 30 seconds of the last read resolve to false, so that a wrong password does
 * not flood Vault.
 */
export function createAfterRefusal(
  look: (owner: string) => Promise<boolean>,
  clock: Clock,
): (owner: string) => Promise<boolean> {
  const latest = new Map<string, number>();
  const running = new Map<string, Promise<boolean>>();
  return (owner) => {
    const shared = running.get(owner);
    if (shared) return shared;
    if (clock.now() - (latest.get(owner) ?? -Infinity) < EVERY_MS) return Promise.resolve(false);
    latest.set(owner, clock.now());
    const mine = look(owner).finally(() => running.delete(owner));
    running.set(owner, mine);
    return mine;
  };
}
