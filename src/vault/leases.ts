import type { Scheduler } from '../core/lib/clock.js';
import type { Lease } from './vault.js';

/** A lease that we hold. */
export interface LeasedValue {
  readonly lease: Lease;
  /** What it was lent for at first, in seconds. */
  readonly fullSeconds: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

const LONGEST_RETRY_MS = 30_000;
const SHORTEST_MS = 1000;

/** A loan that begins, or goes on, now. */
export function leaseValue(lease: Lease, now: number, fullSeconds = lease.seconds): LeasedValue {
  return { lease, fullSeconds, endsAt: now + lease.seconds * 1000 };
}

/** Milliseconds until two thirds of the lease have passed. */
export function renewMs({ lease, endsAt }: LeasedValue, now: number): number {
  return Math.max(SHORTEST_MS, endsAt - now - (lease.seconds * 1000) / 3);
}

/** Milliseconds until a renewal that failed is tried again: more often the nearer the end is. */
export function renewAgainMs({ endsAt }: LeasedValue, now: number): number {
  return Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_MS, (endsAt - now) / 4));
}

/** True when a renewal gave so little that the longest life of the credentials is near: time for others. */
export function isRunningOut({ lease, fullSeconds }: LeasedValue): boolean {
  return lease.seconds < fullSeconds / 2;
}

/** Leases that nothing new is built on. */
export interface LeasesToRevoke {
  add(id: string, users: Iterable<string>): void;
  /** Revokes those of now after the time that running calls have to end, but for those with a user who is behind. */
  drain(behind: ReadonlySet<string>): void;
  /** Calls off what is to come, and gives what has not been revoked. */
  close(): readonly string[];
}

interface LeaseToRevoke {
  /** Who was served with it. */
  readonly users: readonly string[];
  /** Set while it drains. */
  cancel: (() => void) | undefined;
}

/** Keeps leases until nobody can use them any more. */
export function createRetiredLeases(
  scheduler: Pick<Scheduler, 'after'>,
  { drainMs, revoke }: { readonly drainMs: number; readonly revoke: (id: string) => void },
): LeasesToRevoke {
  const retired = new Map<string, LeaseToRevoke>();
  const startDraining = (id: string): (() => void) =>
    scheduler.after(drainMs, () => {
      retired.delete(id);
      revoke(id);
    });
  return {
    add: (id, users) => {
      retired.set(id, { users: [...users], cancel: undefined });
    },
    drain: (behind) => {
      for (const [id, lease] of retired) {
        if (!lease.users.some((user) => behind.has(user))) {
          lease.cancel ??= startDraining(id);
          continue;
        }
        // Its user may have turned out to be behind after the draining began.
        lease.cancel?.();
        lease.cancel = undefined;
      }
    },
    close: () => {
      for (const { cancel } of retired.values()) cancel?.();
      return [...retired.keys()];
    },
  };
}
