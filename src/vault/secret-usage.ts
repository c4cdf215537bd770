import { formatReference } from './reference.js';
import { failureAt, type CachedPath } from './cached-path.js';
import type { LocatedReference } from './find-references.js';
import { isLost } from './max-age.js';
import type { VaultFailure } from './vault-error.js';

/** One use of a reference: its owner, and its position in the configuration of the owner. */
export interface SecretUsage {
  readonly owner: string;
  readonly pointer: string;
}

/**
 * One reference that is in use. Its path and field are not secret. Neither its value nor anything derived
 * from the value is included.
 */
export interface SecretInUse {
  /** Canonical text of the reference. */
  readonly reference: string;
  readonly usedBy: readonly SecretUsage[];
  /**
   * `current`: Vault confirmed the value. `stale`: the latest contact failed, and the last good value stays
   * in use. `ended`: the value was leased and its lease has ended. `missing`: the reference never had a
   * value. `unread`: the secret has not been requested yet.
   */
  readonly state: 'current' | 'stale' | 'ended' | 'missing' | 'unread';
  /** Why the value is missing or not confirmed. */
  readonly failure?: VaultFailure;
  /** Time of the last confirmation by Vault, in milliseconds since 1970. */
  readonly goodAt?: number;
  /** Version of the data; null if the engine keeps no versions or nothing was read. */
  readonly version: number | null;
  /** Present for leased credentials. */
  readonly lease?: { readonly secondsLeft: number; readonly renewable: boolean };
}

/** Returns each reference of these secrets once. */
export function secretsInUse(groups: readonly CachedPath[], now: number): readonly SecretInUse[] {
  return groups.flatMap((group) =>
    [...membersOf(group)].map(([reference, { placed, usedBy }]) => ({
      reference,
      usedBy,
      ...usageStatusOf(placed, group),
      ...contactOf(group, now),
    })),
  );
}

interface Member {
  readonly placed: LocatedReference;
  readonly usedBy: SecretUsage[];
}

function membersOf({ users }: CachedPath): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const [owner, { references }] of users)
    for (const placed of references) {
      const text = formatReference(placed.reference);
      const member = members.get(text) ?? { placed, usedBy: [] };
      const { pointer } = placed;
      // An owner that still runs with its previous configuration lists its references twice.
      if (!member.usedBy.some((one) => one.owner === owner && one.pointer === pointer))
        member.usedBy.push({ owner, pointer });
      members.set(text, member);
    }
  return members;
}

function usageStatusOf(placed: LocatedReference, group: CachedPath): Pick<SecretInUse, 'state' | 'failure'> {
  const { data, failure } = group;
  if (isLost(group)) return { state: 'ended', ...(failure && { failure }) };
  if (!data) return failure ? { state: 'missing', failure } : { state: 'unread' };
  const lack = failureAt(placed, data);
  if (lack) return { state: 'missing', failure: lack };
  return failure ? { state: 'stale', failure } : { state: 'current' };
}

function contactOf(
  { goodAt, data, loan }: CachedPath,
  now: number,
): Pick<SecretInUse, 'goodAt' | 'version' | 'lease'> {
  return {
    version: data?.version ?? null,
    ...(goodAt !== undefined && { goodAt }),
    ...(loan && {
      lease: {
        secondsLeft: Math.max(0, Math.floor((loan.endsAt - now) / 1000)),
        renewable: loan.lease.renewable,
      },
    }),
  };
}
