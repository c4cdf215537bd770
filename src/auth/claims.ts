import type { Account } from '../core/login.js';
import type { Principal } from '../core/principal.js';
import type { JsonObject } from '../json/json-object.js';
import type { IssuerRules } from './issuer.js';
import { readNumericDate } from './numeric-date.js';
import { RejectedToken } from './rejected-token.js';
import { checkRequiredClaims, claimAt } from './required-claims.js';
import { readRoles } from './token-roles.js';

/** Maximum length of `sub`, in characters. */
export const MAX_SUBJECT_LENGTH = 256;

/**
 * Creates a principal from the payload of a token with a verified signature. `now` is in seconds since 1970.
 * Throws a RejectedToken that names the faulty claim and contains no value of the token.
 */
export function readClaims(payload: JsonObject, rules: IssuerRules, now: number): Principal {
  const { sub } = payload;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
    throw new RejectedToken('claims', `sub is not a text of 1 to ${MAX_SUBJECT_LENGTH} characters`);
  checkAudience(payload, rules);
  const expiresAt = readTimes(payload, rules, now);
  if (rules.requiredClaims) checkRequiredClaims(payload, rules.requiredClaims);
  const account = accountOf(payload, rules);
  const { roles, tokenRoles, rolesFault } = account
    ? { roles: [...account.roles] }
    : readRoles(payload, rules);
  const name = displayName(payload, rules.nameClaim ?? DEFAULT_NAME_CLAIMS);
  const client = clientOf(payload);
  return Object.freeze({
    subject: sub,
    issuer: rules.issuer,
    roles: Object.freeze(roles),
    expiresAt,
    ...(name !== undefined && name !== sub && { name }),
    ...(client !== undefined && { client }),
    ...(tokenRoles && { tokenRoles: Object.freeze(tokenRoles) }),
    ...(rolesFault !== undefined && { rolesFault }),
  });
}

/** Returns the client of a token (RFC 9068 section 2.2, OpenID Connect Core section 2); ignores an unusable name. */
function clientOf({ client_id: clientId, azp }: JsonObject): string | undefined {
  const client = clientId ?? azp;
  return typeof client === 'string' && client !== '' && client.length <= MAX_SUBJECT_LENGTH
    ? client
    : undefined;
}

/** Throws a RejectedToken if `aud` (RFC 7519 section 4.1.3) names no audience of the issuer. */
export function checkAudience({ aud }: JsonObject, { audience }: IssuerRules): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((name) => typeof name === 'string'))
    throw new RejectedToken('audience', 'aud is not a text or a list of texts');
  if (audiences.some((name) => audience.includes(name))) return;
  // The same words as those of the library, which checks the audience of a token with a known key.
  throw new RejectedToken('audience', `jwt audience invalid. expected: ${audience.join(' or ')}`);
}

/**
 * Returns the account that received the token, because its current roles apply. Returns `undefined` for a
 * token without a login. Throws a RejectedToken if the account no longer exists or has another password.
 */
function accountOf({ account: mark }: JsonObject, { accounts }: IssuerRules): Account | undefined {
  if (!accounts || mark === undefined) return undefined;
  const account = typeof mark === 'string' ? accounts.get(mark) : undefined;
  if (!account)
    throw new RejectedToken('revoked', 'the account of the token no longer exists, or has another password');
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
  if (exp === undefined) throw new RejectedToken('claims', 'exp is missing');
  if (now >= exp + tolerance) throw new RejectedToken('expired', 'exp has passed');
  if (nbf !== undefined && now < nbf - tolerance)
    throw new RejectedToken('not_active', 'nbf is in the future');
  if (iat !== undefined && now < iat - tolerance)
    throw new RejectedToken('not_active', 'iat is in the future');
  if (exp - (iat ?? now) > rules.maxLifetimeSeconds + tolerance)
    throw new RejectedToken('lifetime', `the token lives longer than ${rules.maxLifetimeSeconds} seconds`);
  return exp;
}

function readSeconds(payload: JsonObject, name: string): number | undefined {
  if (payload[name] === undefined) return undefined;
  const seconds = readNumericDate(payload[name]);
  if (seconds === undefined) throw new RejectedToken('claims', `${name} is not a number of seconds`);
  return seconds;
}

/** Claims with the name of a person, in the order of preference. */
const DEFAULT_NAME_CLAIMS: readonly string[] = ['preferred_username', 'email'];

/** Maximum length of a name, in characters. */
const MAX_NAME_LENGTH = 256;

// Control characters, and characters that change the direction of the surrounding text on a page.
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/**
 * Returns the name of the caller for people, from the first claim with a usable text; `undefined` if there is none.
 * Two callers may have the same name. An email address that the issuer has not verified is not used.
 */
function displayName(payload: JsonObject, claims: readonly string[] | string): string | undefined {
  return [claims].flat().flatMap((name) => nameAt(payload, name))[0];
}

function nameAt(payload: JsonObject, claim: string): readonly string[] {
  const value = claimAt(payload, claim);
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_NAME_LENGTH) return [];
  if (claim === 'email' && payload['email_verified'] === false) return [];
  return UNPRINTABLE.test(value) ? [] : [value];
}
