import { valueAt } from '../core/pointer.js';
import type { Account } from '../core/login.js';
import type { Principal } from '../core/principal.js';
import type { JsonObject } from '../core/json-object.js';
import type { IssuerRules } from './issuer.js';

/** Maximum length of `sub`, in characters. */
export const MAX_SUBJECT_LENGTH = 256;

/** Maximum number of roles in a token. */
export const MAX_ROLES = 1000;

/**
 * Creates a principal from the payload of a token with a verified signature. `now` is in seconds since 1970.
 * Throws an Error that names the faulty claim and contains no value of the token.
 */
export function readClaims(payload: JsonObject, rules: IssuerRules, now: number): Principal {
  const { sub, aud } = payload;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
    throw new Error(`sub is not a text of 1 to ${MAX_SUBJECT_LENGTH} characters`);
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((name) => typeof name === 'string'))
    throw new Error('aud is not a text or a list of texts');
  if (!audiences.some((name) => rules.audience.includes(name)))
    throw new Error('aud does not name this service');
  const expiresAt = readTimes(payload, rules, now);
  const roles = Object.freeze([...(accountOf(payload, rules)?.roles ?? readRoles(payload, rules))]);
  return Object.freeze({ subject: sub, issuer: rules.issuer, roles, expiresAt });
}

/**
 * Returns the account that received the token, because its current roles apply. Returns `undefined` for a
 * token without a login. Throws an Error if the account no longer exists or has another password.
 */
function accountOf({ account: mark }: JsonObject, { accounts }: IssuerRules): Account | undefined {
  if (!accounts || mark === undefined) return undefined;
  const account = typeof mark === 'string' ? accounts.get(mark) : undefined;
  if (!account) throw new Error('the account of the token no longer exists, or has another password');
  return account;
}

/**
 * Checks the times (RFC 7519 section 4.1) and returns `exp`. A token is valid while `nbf - tolerance <= now <
 * exp + tolerance`.
 */
function readTimes(payload: JsonObject, rules: IssuerRules, now: number): number {
  const tolerance = rules.clockToleranceSeconds;
  const exp = readSeconds(payload, 'exp');
  const nbf = readSeconds(payload, 'nbf');
  const iat = readSeconds(payload, 'iat');
  if (exp === undefined) throw new Error('exp is missing');
  if (now >= exp + tolerance) throw new Error('exp has passed');
  if (nbf !== undefined && now < nbf - tolerance) throw new Error('nbf is in the future');
  if (iat !== undefined && now < iat - tolerance) throw new Error('iat is in the future');
  if (exp - (iat ?? now) > rules.maxLifetimeSeconds + tolerance)
    throw new Error(`the token lives longer than ${rules.maxLifetimeSeconds} seconds`);
  return exp;
}

function readSeconds(payload: JsonObject, name: string): number | undefined {
  const value = payload[name];
  if (value !== undefined && !Number.isSafeInteger(value))
    throw new Error(`${name} is not a whole number of seconds`);
  return value as number | undefined;
}

/** Returns the mapped roles of the configured claim. A claim that is not a list of strings grants no role. */
function readRoles(payload: JsonObject, { rolesClaim, roleMap }: IssuerRules): readonly string[] {
  const claim = valueAt(payload, rolesClaim);
  if (!Array.isArray(claim)) return [];
  if (claim.length > MAX_ROLES) throw new Error(`the token carries more than ${MAX_ROLES} roles`);
  const roleNames: readonly unknown[] = claim;
  if (!roleNames.every((name) => typeof name === 'string')) return [];
  const mapped = roleMap
    ? roleNames.flatMap((name) => (Object.hasOwn(roleMap, name) ? (roleMap[name] ?? []) : []))
    : roleNames;
  return [...new Set(mapped)];
}
