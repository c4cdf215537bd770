import type { JsonObject } from '../core/json-object.js';
import { valueAt } from '../core/pointer.js';
import type { IssuerRules } from './issuer.js';
import { RejectedToken } from './rejected-token.js';

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
 * Returns the roles of all configured claims. A claim that is not a list of strings grants no role. Throws a
 * RejectedToken for more than {@link MAX_ROLES} names.
 */
export function readRoles(
  payload: JsonObject,
  { rolesClaim, roleMap }: Pick<IssuerRules, 'rolesClaim' | 'roleMap'>,
): TokenRoles {
  const names =
    typeof rolesClaim === 'string' ? namesAt(payload, rolesClaim) : namesOfAll(payload, rolesClaim);
  if (names.length > MAX_ROLES)
    throw new RejectedToken('claims', `the token carries more than ${MAX_ROLES} roles`);
  const tokenRoles = [...new Set(names)];
  if (!roleMap) return { roles: tokenRoles };
  const mapped = tokenRoles.flatMap((name) => (Object.hasOwn(roleMap, name) ? (roleMap[name] ?? []) : []));
  return { roles: [...new Set(mapped)], tokenRoles };
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
