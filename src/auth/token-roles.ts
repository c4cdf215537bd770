import { matchesName } from '../core/lib/name-pattern.js';
import type { JsonObject } from '../core/json-object.js';
import { valueAt } from '../core/pointer.js';
import type { ClaimRoles } from '../core/settings.js';
import type { IssuerRules } from './issuer.js';
import { RejectedToken } from './rejected-token.js';
import { claimAt, valuesOf } from './required-claims.js';

/** Maximum number of roles in a token. */
export const MAX_ROLES = 1000;

/** Roles of a token. */
export interface TokenRoles {
  /** Roles after the role map. */
  readonly roles: readonly string[];
  /** Names in the token; absent without a role map, because they are the roles. */
  readonly tokenRoles?: readonly string[];
}

/**
 * Returns the roles of all configured claims. A claim of `rolesClaim` that is not a list of strings grants no role. Throws a
 * RejectedToken for more than {@link MAX_ROLES} names.
 */
export function readRoles(
  payload: JsonObject,
  { rolesClaim, roleMap, claimRoles = [] }: Pick<IssuerRules, 'rolesClaim' | 'roleMap' | 'claimRoles'>,
): TokenRoles {
  const names =
    typeof rolesClaim === 'string' ? namesAt(payload, rolesClaim) : namesOfAll(payload, rolesClaim);
  if (names.length > MAX_ROLES)
    throw new RejectedToken('claims', `the token carries more than ${MAX_ROLES} roles`);
  const tokenRoles = [...new Set(names)];
  const granted = claimRoles.flatMap((rule) => (hasValue(payload, rule) ? rule.roles : []));
  if (!roleMap)
    return granted.length === 0
      ? { roles: tokenRoles }
      : { roles: [...new Set([...tokenRoles, ...granted])], tokenRoles };
  const patterns = Object.entries(roleMap).filter(([name]) => name.includes('*'));
  const mapped = tokenRoles.flatMap((name) => [
    ...(Object.hasOwn(roleMap, name) ? [roleMap[name] ?? []].flat() : []),
    ...patterns.flatMap(([pattern, roles]) => (matchesName(pattern, name) ? roles : [])),
  ]);
  return { roles: [...new Set([...mapped, ...granted])], tokenRoles };
}

function hasValue(payload: JsonObject, { claim, values }: ClaimRoles): boolean {
  const present = valuesOf(claim, claimAt(payload, claim));
  if (present.length > MAX_ROLES)
    throw new RejectedToken('claims', `the claim ${claim} has more than ${MAX_ROLES} values`);
  return present.some((value) =>
    values.some((wanted) =>
      typeof wanted === 'string' && typeof value === 'string' ? matchesName(wanted, value) : wanted === value,
    ),
  );
}

function namesOfAll(payload: JsonObject, pointers: readonly string[]): readonly string[] {
  return pointers.flatMap((pointer) => namesAt(payload, pointer));
}

function namesAt(payload: JsonObject, pointer: string): readonly string[] {
  const claim = valueAt(payload, pointer);
  if (!Array.isArray(claim)) return [];
  const names: readonly unknown[] = claim;
  return names.every((name) => typeof name === 'string') ? names : [];
}
