import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { valueAt } from '../json/pointer.js';
import { matchesName } from '../lib/name-pattern.js';
import type { ClaimRoles } from '../settings/settings.js';
import type { IssuerRules } from './issuer.js';
import { RejectedToken } from './rejected-token.js';
import { claimAt, claimKind, valuesOf } from './required-claims.js';

/** Maximum number of roles in a token. */
export const MAX_ROLES = 1000;

interface TokenRoles {
  /** Roles after the role map. */
  readonly roles: readonly string[];
  /** Names in the token; absent without a role map, because they are the roles. */
  readonly tokenRoles?: readonly string[];
  /** Why no claim of `rolesClaim` names a role, or why groups may be missing, in sentences; absent if neither is so. */
  readonly rolesFault?: string;
}

/**
 * Returns the roles of all configured claims. A claim of `rolesClaim` is a list of texts, or one text for one role, as AD FS and
 * IdentityServer send it. Other members of a list, and other claims, grant no role. Throws a RejectedToken for more than
 * {@link MAX_ROLES} names.
 */
export function readRoles(
  payload: JsonObject,
  { rolesClaim, roleMap, claimRoles = [] }: IssuerRules,
): TokenRoles {
  const pointers = [rolesClaim].flat();
  const names = pointers.flatMap((pointer) => namesAt(payload, pointer));
  if (names.length > MAX_ROLES)
    throw new RejectedToken('claims', `the token carries more than ${MAX_ROLES} roles`);
  const tokenRoles = [...new Set(names)];
  const granted = claimRoles.flatMap((rule) => (hasValue(payload, rule) ? rule.roles : []));
  const rolesFault = faultOf(payload, pointers, tokenRoles.length > 0);
  const fault = rolesFault !== '' && { rolesFault };
  if (!roleMap)
    return granted.length === 0
      ? { roles: tokenRoles, ...fault }
      : { roles: [...new Set([...tokenRoles, ...granted])], tokenRoles, ...fault };
  const patterns = Object.entries(roleMap).filter(([name]) => name.includes('*'));
  const mapped = tokenRoles.flatMap((name) => [
    ...(Object.hasOwn(roleMap, name) ? [roleMap[name] ?? []].flat() : []),
    ...patterns.flatMap(([pattern, roles]) => (matchesName(pattern, name) ? roles : [])),
  ]);
  return { roles: [...new Set([...mapped, ...granted])], tokenRoles, ...fault };
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

function namesAt(payload: JsonObject, pointer: string): readonly string[] {
  const names: readonly unknown[] = [valueAt(payload, pointer)].flat();
  return names.filter((name) => typeof name === 'string' && name !== '') as readonly string[];
}

const OVERAGE =
  'The identity provider leaves out the groups of a caller who has too many (group overage). Send app roles, or only the groups of this application.';

/** Describes why the claims name no role, and a group overage; empty without either. Contains no value of the token. */
function faultOf(payload: JsonObject, pointers: readonly string[], hasNames: boolean): string {
  const overage = isOverage(payload) ? [OVERAGE] : [];
  return [...(hasNames ? [] : [missingNames(payload, pointers)]), ...overage].join(' ');
}

function missingNames(payload: JsonObject, pointers: readonly string[]): string {
  const claims = pointers.map((pointer) => [pointer, valueAt(payload, pointer)] as const);
  const present = claims.find(([, claim]) => claim !== undefined && claim !== null);
  if (!present) return `The token has no claim at ${pointers.join(', ')}.`;
  const [pointer, claim] = present;
  const kind = claimKind(claim);
  if (kind.startsWith('an empty')) return `The claim at ${pointer} is ${kind}.`;
  return `The claim at ${pointer} is ${kind}, neither a text nor a list of texts.`;
}

/** Returns true if the provider replaced the groups by a reference (Microsoft Entra ID: groups overage claim). */
function isOverage({ _claim_names: names, hasgroups }: JsonObject): boolean {
  return hasgroups === true || (isJsonObject(names) && Object.hasOwn(names, 'groups'));
}
