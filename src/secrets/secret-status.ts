import { type CachedSecret, failureAt, type Rotation } from './cached-secret.js';
import type { LocatedReference } from './find-references.js';
import { formatReference } from './reference.js';
import { isVaultOutage, type SecretFailure } from './secret-error.js';

/** State, age and failures of the secrets in use. */
export interface SecretStatus {
  /**
   * `degraded`: the latest read or renewal failed, and earlier values stay in use. `failed`: these values are
   * too old, or leased credentials ended.
   */
  readonly state: 'running' | 'degraded' | 'failed';
  /** Seconds since the last good read, by owner; the oldest secret counts. */
  readonly staleSeconds: ReadonlyMap<string, number>;
  /** Number of failures so far, by class. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Returns the state and age of the secrets in use. */
export function statusOf(secrets: readonly CachedSecret[], now: number): Omit<SecretStatus, 'errors'> {
  const used = secrets.filter(({ users }) => users.size > 0);
  const staleSeconds = new Map<string, number>();
  for (const secret of used) {
    for (const owner of secret.users.keys())
      staleSeconds.set(owner, Math.max(staleSeconds.get(owner) ?? 0, staleSecondsOf(secret, now)));
  }
  const failed = used.some(
    (secret) =>
      isLost(secret) || (secret.data && staleSecondsOf(secret, now) > secret.store.refresh.maxStaleSeconds),
  );
  if (failed) return { state: 'failed', staleSeconds };
  return { state: used.some(isFailing) ? 'degraded' : 'running', staleSeconds };
}

/**
 * Returns the age of a secret in seconds. A pinned version never changes, and a lease guarantees its
 * credentials, so neither ages until a read or renewal fails.
 */
function staleSecondsOf({ path, heldLease, failure, goodAt, createdAt }: CachedSecret, now: number): number {
  const isAging = failure !== undefined || (path.version === null && !heldLease);
  return isAging ? Math.floor((now - (goodAt ?? createdAt)) / 1000) : 0;
}

/** Returns true for leased credentials that have ended. */
export function isLost({ goodAt, data }: CachedSecret): boolean {
  return goodAt !== undefined && data === undefined;
}

/**
 * Returns true if a failure degrades the state. A reference that never had a value is a fault in the
 * configuration, unless Vault is unavailable.
 */
function isFailing({ failure, goodAt }: CachedSecret): boolean {
  return failure !== undefined && (goodAt !== undefined || isVaultOutage(failure.code));
}

/** One use of a reference: its owner, and its position in the configuration of the owner. */
interface SecretUsage {
  readonly owner: string;
  readonly pointer: string;
}

/**
 * One reference that is in use. Its path and field are not secret. Neither its value nor anything derived
 * from the value is included.
 */
export interface SecretInUse {
  readonly reference: string;
  /** Absent: Vault. */
  readonly store?: 'file';
  readonly usedBy: readonly SecretUsage[];
  /**
   * `current`: Vault confirmed the value. `stale`: the latest read failed, and the last good value stays in
   * use. `ended`: the value was leased and its lease has ended. `missing`: the reference never had a value.
   * `unread`: the secret has not been requested yet.
   */
  readonly state: 'current' | 'stale' | 'ended' | 'missing' | 'unread';
  /** Why the value is missing or not confirmed. */
  readonly failure?: SecretFailure;
  /** Time of the last confirmation by Vault, in milliseconds since 1970. */
  readonly goodAt?: number;
  /** Version of the data; null if the engine keeps no versions or nothing was read. */
  readonly version: number | null;
  /** The latest change of the values; absent before the first, and for leased credentials. */
  readonly rotated?: Rotation;
  /** Present for leased credentials. */
  readonly lease?: { readonly secondsLeft: number; readonly renewable: boolean };
}

/** Returns each reference of these secrets once. */
export function secretsInUse(secrets: readonly CachedSecret[], now: number): readonly SecretInUse[] {
  return secrets.flatMap((secret) =>
    [...membersOf(secret)].map(([reference, { located, usedBy }]) => ({
      reference,
      ...(located.reference.store && { store: located.reference.store }),
      usedBy,
      ...usageStatusOf(located, secret),
      ...freshnessOf(secret, now),
    })),
  );
}

interface Member {
  readonly located: LocatedReference;
  readonly usedBy: SecretUsage[];
}

function membersOf({ users }: CachedSecret): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const [owner, { references }] of users)
    for (const located of references) {
      const text = formatReference(located.reference);
      const member = members.get(text) ?? { located, usedBy: [] };
      const { pointer } = located;
      // An owner that still runs with its previous configuration lists its references twice.
      if (!member.usedBy.some((use) => use.owner === owner && use.pointer === pointer))
        member.usedBy.push({ owner, pointer });
      members.set(text, member);
    }
  return members;
}

function usageStatusOf(
  located: LocatedReference,
  secret: CachedSecret,
): Pick<SecretInUse, 'state' | 'failure'> {
  const { data, failure } = secret;
  if (isLost(secret)) return { state: 'ended', ...(failure && { failure }) };
  if (!data) return failure ? { state: 'missing', failure } : { state: 'unread' };
  const fieldFailure = failureAt(located, data);
  if (fieldFailure) return { state: 'missing', failure: fieldFailure };
  return failure ? { state: 'stale', failure } : { state: 'current' };
}

function freshnessOf(
  { goodAt, data, heldLease, rotated }: CachedSecret,
  now: number,
): Pick<SecretInUse, 'goodAt' | 'version' | 'rotated' | 'lease'> {
  return {
    version: data?.version ?? null,
    ...(rotated && { rotated }),
    ...(goodAt !== undefined && { goodAt }),
    ...(heldLease && {
      lease: {
        secondsLeft: Math.max(0, Math.floor((heldLease.endsAt - now) / 1000)),
        renewable: heldLease.lease.renewable,
      },
    }),
  };
}
