import { isVaultOutage } from './failure-class.js';
import type { CachedPath } from './cached-path.js';

/** How the secrets in use stand. */
export interface SecretStatus {
  /** `degraded`: the latest contact failed and values from before serve on; `failed`: they serve for too long, or ended. */
  readonly state: 'running' | 'degraded' | 'failed';
  /** Seconds since the last good read, by owner; the oldest secret counts. */
  readonly staleSeconds: ReadonlyMap<string, number>;
  /** Failures so far, by class. */
  readonly errors: ReadonlyMap<string, number>;
}

/** State and age of the secrets that are in use. */
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

/** A pinned version never changes and a lease is good by itself: those grow no older until a contact fails. */
function staleSecondsOf({ path, loan, failure, goodAt, madeAt }: CachedPath, now: number): number {
  const ages = failure !== undefined || (path.version === null && !loan);
  return ages ? Math.floor((now - (goodAt ?? madeAt)) / 1000) : 0;
}

/** Credentials that were lent and have ended. */
export function isLost({ goodAt, data }: CachedPath): boolean {
  return goodAt !== undefined && data === undefined;
}

/** A reference that never had a value is a fault of the configuration, unless Vault is away. */
function isFailing({ failure, goodAt }: CachedPath): boolean {
  return failure !== undefined && (goodAt !== undefined || isVaultOutage(failure.code));
}
