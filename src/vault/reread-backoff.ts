import type { Clock } from '../core/lib/clock.js';

/** One owner asks for new values no more often than this. */
const EVERY_MS = 30_000;

/**
 * Looks after the secrets of an owner that was refused: calls that come together share one look, and those that come
 * within half a minute of it get false, so that a wrong password is no storm on Vault.
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
