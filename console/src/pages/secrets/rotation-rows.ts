import type { Span } from '../../kit/chart-shapes.js';
import type { Reference } from './secret.js';

/** A secret on the timeline of rotations. */
export interface LeaseRow {
  readonly reference: Reference;
  /** Time when Vault last confirmed the value. */
  readonly from: number;
  /** End of the lease; undefined for a secret without a lease. */
  readonly to: number | undefined;
}

/** Maximum number of secrets on the timeline. */
const MAX_ROTATION_ROWS = 50;
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** End of a secret without a lease, for sorting. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Returns the secrets that were read, those whose lease ends first at the top; secrets without a lease last, in the given
 * order.
 */
export function rotationRows(references: readonly Reference[], now: number): readonly LeaseRow[] {
  return references
    .flatMap((reference) => {
      const { fetchedAt, leaseSeconds } = reference;
      if (fetchedAt === null) return [];
      return [
        { reference, from: fetchedAt, to: leaseSeconds === null ? undefined : now + leaseSeconds * 1000 },
      ];
    })
    .sort((one, other) => (one.to ?? NEVER) - (other.to ?? NEVER))
    .slice(0, MAX_ROTATION_ROWS);
}

/** Returns the time of the axis: from the earliest read, at most a day ago, to the end of the leases, at most a day ahead. */
export function rotationSpan(rows: readonly LeaseRow[], now: number): Span {
  const from = Math.min(now - 10 * MINUTE_MS, ...rows.map((row) => row.from));
  const to = Math.max(now + 10 * MINUTE_MS, ...rows.map((row) => row.to ?? now));
  return { from: Math.max(from, now - DAY_MS), to: Math.min(to, now + DAY_MS), cellMs: MINUTE_MS };
}
