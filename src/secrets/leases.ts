import type { Scheduler } from '../domain/clock.js';
import type { Lease } from './vault.js';

/** A lease that we hold. */
export interface Loan {
  readonly lease: Lease;
  /** What it was lent for at first, in seconds. */
  readonly fullSeconds: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

const LONGEST_RETRY_MS = 30_000;
const SHORTEST_MS = 1000;

/** A loan that begins, or goes on, now. */
export function lend(lease: Lease, now: number, fullSeconds = lease.seconds): Loan {
  return { lease, fullSeconds, endsAt: now + lease.seconds * 1000 };
}

/** Milliseconds until two thirds of the lease have passed. */
export function renewMs({ lease, endsAt }: Loan, now: number): number {
  return Math.max(SHORTEST_MS, endsAt - now - (lease.seconds * 1000) / 3);
}

/** Milliseconds until a renewal that failed is tried again: more often the nearer the end is. */
export function renewAgainMs({ endsAt }: Loan, now: number): number {
  return Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_MS, (endsAt - now) / 4));
}

/** True when a renewal gave so little that the longest life of the credentials is near: time for others. */
export function isRunningOut({ lease, fullSeconds }: Loan): boolean {
  return lease.seconds < fullSeconds / 2;
}

/** Leases that nothing new is built on. */
export interface RetiredLeases {
  add(id: string): void;
  /** Revokes those of now after the time that running calls have to end. */
  drain(): void;
  /** Calls off what is to come, and gives what has not been revoked. */
  close(): readonly string[];
}

/** Keeps leases until nobody can use them any more. */
export function createRetiredLeases(
  scheduler: Pick<Scheduler, 'after'>,
  { drainMs, revoke }: { readonly drainMs: number; readonly revoke: (id: string) => void },
): RetiredLeases {
  let waiting: string[] = [];
  const draining = new Map<string, () => void>();
  return {
    add: (id) => {
      waiting.push(id);
    },
    drain: () => {
      for (const id of waiting) {
        const cancel = scheduler.after(drainMs, () => {
          draining.delete(id);
          revoke(id);
        });
        draining.set(id, cancel);
      }
      waiting = [];
    },
    close: () => {
      for (const cancel of draining.values()) cancel();
      return [...waiting, ...draining.keys()];
    },
  };
}
