import { formatReference } from './reference.js';
import { failureAt, type CachedPath } from './cached-path.js';
import type { LocatedReference } from './find-references.js';
import { isLost } from './max-age.js';
import type { VaultFailure } from './vault-error.js';

/** Who uses a reference, and where it stands there. */
export interface SecretUsage {
  readonly owner: string;
  readonly pointer: string;
}

/** One reference that is in use. Its path and field are no secrets; its value is not in here, nor anything of it. */
export interface SecretInUse {
  /** In its canonical spelling. */
  readonly reference: string;
  readonly usedBy: readonly SecretUsage[];
  /**
   * `current`: as Vault has it; `stale`: the latest contact failed, and the value from before serves on; `ended`: it was lent
   * and its time is over; `missing`: there was never a value; `unread`: nobody has asked yet.
   */
  readonly state: 'current' | 'stale' | 'ended' | 'missing' | 'unread';
  /** Why there is no value, or none that is confirmed. */
  readonly failure?: VaultFailure;
  /** When Vault last confirmed it, in milliseconds since 1970. */
  readonly goodAt?: number;
  /** Where the engine keeps versions. */
  readonly version: number | null;
  /** Where it is lent. */
  readonly lease?: { readonly secondsLeft: number; readonly renewable: boolean };
}

/** The references of these secrets, each once. */
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
      // A part that serves on in a former form has its references twice.
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
