import type { Scheduler } from '../core/lib/clock.js';
import type { Lease } from './vault.js';

/** A lease that the gateway holds. */
export interface LeasedValue {
  readonly lease: Lease;
  /** Duration of the first grant, in seconds. */
  readonly fullSeconds: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

const LONGEST_RETRY_MS = 30_000;
const SHORTEST_MS = 1000;

/** Creates the record of a lease that starts or was renewed now. */
export function leaseValue(lease: Lease, now: number, fullSeconds = lease.seconds): LeasedValue {
  return { lease, fullSeconds, endsAt: now + lease.seconds * 1000 };
}

/** Returns the milliseconds until two thirds of the lease have passed. */
export function renewMs({ lease, endsAt }: LeasedValue, now: number): number {
  return Math.max(SHORTEST_MS, endsAt - now - (lease.seconds * 1000) / 3);
}

/** Returns the milliseconds until a failed renewal is repeated: the nearer the end, the shorter the delay. */
export function renewAgainMs({ endsAt }: LeasedValue, now: number): number {
  return Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_MS, (endsAt - now) / 4));
}

/**
 * Returns true if a renewal granted less than half of the first duration. The credentials are then near their
 * maximum life and need a replacement.
 */
export function isRunningOut({ lease, fullSeconds }: LeasedValue): boolean {
  return lease.seconds < fullSeconds / 2;
}

/** Leases that no new call uses. */
export interface LeasesToRevoke {
  add(id: string, users: Iterable<string>): void;
  /**
   * Revokes the current leases after the time that running calls have to end. Skips leases with a user in
   * `behind`.
   */
  drain(behind: ReadonlySet<string>): void;
  /** Cancels pending revocations. Returns the leases that were not revoked. */
  close(): readonly string[];
}

interface LeaseToRevoke {
  /** Owners that used the lease. */
  readonly users: readonly string[];
  /** Set while a revocation is scheduled. */
  cancel: (() => void) | undefined;
}

/** Creates a store that keeps leases until no call can use them, and then revokes them. */
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
        // A user can fall behind after the revocation was scheduled.
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
