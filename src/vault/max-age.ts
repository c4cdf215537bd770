import { isVaultOutage } from './failure-class.js';
import type { CachedPath } from './cached-path.js';

/** State, age and failures of the secrets in use. */
export interface SecretStatus {
  /**
   * `degraded`: the latest contact failed, and earlier values stay in use. `failed`: these values are too
   * old, or leased credentials ended.
   */
  readonly state: 'running' | 'degraded' | 'failed';
  /** Seconds since the last good read, by owner; the oldest secret counts. */
  readonly staleSeconds: ReadonlyMap<string, number>;
  /** Number of failures so far, by class. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Returns the state and age of the secrets in use. */
export function statusOf(
  groups: readonly CachedPath[],
  { now, maxStaleSeconds }: { readonly now: number; readonly maxStaleSeconds: number },
): Omit<SecretStatus, 'errors'> {
  const used = groups.filter(({ users }) => users.size > 0);
  const staleSeconds = new Map<string, number>();
  for (const group of used) {
    for (const owner of group.users.keys())
      staleSeconds.set(owner, Math.max(staleSeconds.get(owner) ?? 0, staleSecondsOf(group, now)));
  }
  const failed = used.some(
    (group) => isLost(group) || (group.data && staleSecondsOf(group, now) > maxStaleSeconds),
  );
  if (failed) return { state: 'failed', staleSeconds };
  return { state: used.some(isFailing) ? 'degraded' : 'running', staleSeconds };
}

/**
 * Returns the age of a secret in seconds. A pinned version never changes, and a lease guarantees its
 * credentials, so both do not age until a contact fails.
 */
function staleSecondsOf({ path, loan, failure, goodAt, madeAt }: CachedPath, now: number): number {
  const ages = failure !== undefined || (path.version === null && !loan);
  return ages ? Math.floor((now - (goodAt ?? madeAt)) / 1000) : 0;
}

/** Returns true for leased credentials that have ended. */
export function isLost({ goodAt, data }: CachedPath): boolean {
  return goodAt !== undefined && data === undefined;
}

/**
 * Returns true if a failure degrades the state. A reference that never had a value is a fault in the
 * configuration, unless Vault is unavailable.
 */
function isFailing({ failure, goodAt }: CachedPath): boolean {
  return failure !== undefined && (goodAt !== undefined || isVaultOutage(failure.code));
}
