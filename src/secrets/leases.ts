import type { Scheduler } from '../lib/clock.js';
import { isVaultOutage, type SecretError } from './secret-error.js';
import type { Lease } from './store.js';

export interface HeldLease {
  readonly lease: Lease;
  /** Duration of the first grant, in seconds. */
  readonly initialSeconds: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

const MAX_RETRY_MS = 30_000;
const MIN_DELAY_MS = 1000;

/** Returns the record of a lease that was granted or renewed at `now`. */
export function holdLease(lease: Lease, now: number, initialSeconds = lease.seconds): HeldLease {
  return { lease, initialSeconds, endsAt: now + lease.seconds * 1000 };
}

/** Returns the milliseconds until two thirds of the lease have passed. */
export function renewalDelayMs({ lease, endsAt }: HeldLease, now: number): number {
  return Math.max(MIN_DELAY_MS, endsAt - now - (lease.seconds * 1000) / 3);
}

/** Returns the milliseconds until a failed renewal is repeated: the nearer the end, the shorter the delay. */
export function renewalRetryMs({ endsAt }: HeldLease, now: number): number {
  return Math.min(MAX_RETRY_MS, Math.max(MIN_DELAY_MS, (endsAt - now) / 4));
}

/**
 * Returns true if a renewal granted less than half of the first duration. The credentials are then near their
 * maximum TTL and need a replacement.
 */
export function isNearMaxTtl({ lease, initialSeconds }: HeldLease): boolean {
  return lease.seconds < initialSeconds / 2;
}

/** Returns true if a failed renewal says nothing about the lease itself. */
export function isLeaseUnaffected({ code, facts }: SecretError): boolean {
  return isVaultOutage(code) && facts.status !== 400 && facts.status !== 404;
}

/** Leases that no new call uses. */
export interface LeasesToRevoke {
  add(id: string, users: Iterable<string>): void;
  /**
   * Revokes the current leases after the time that running calls have to end. Skips leases with a user in
   * `outdatedOwners`.
   */
  scheduleRevocations(outdatedOwners: ReadonlySet<string>): void;
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
export function createLeasesToRevoke(
  scheduler: Scheduler,
  { drainMs, revoke }: { readonly drainMs: number; readonly revoke: (id: string) => void },
): LeasesToRevoke {
  const leases = new Map<string, LeaseToRevoke>();
  const scheduleRevocation = (id: string): (() => void) =>
    scheduler.after(drainMs, () => {
      leases.delete(id);
      revoke(id);
    });
  return {
    add: (id, users) => {
      leases.set(id, { users: [...users], cancel: undefined });
    },
    scheduleRevocations: (outdatedOwners) => {
      for (const [id, lease] of leases) {
        if (!lease.users.some((user) => outdatedOwners.has(user))) {
          lease.cancel ??= scheduleRevocation(id);
          continue;
        }
        // A user can become outdated after the revocation was scheduled.
        lease.cancel?.();
        lease.cancel = undefined;
      }
    },
    close: () => {
      for (const { cancel } of leases.values()) cancel?.();
      return [...leases.keys()];
    },
  };
}
