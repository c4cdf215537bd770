import type { JsonObject } from '../json/json-object.js';
import { claimAt } from './required-claims.js';

/** Claims with the name of a person, in the order of preference. */
export const DEFAULT_NAME_CLAIMS: readonly string[] = ['preferred_username', 'email'];

/** Maximum length of a name, in characters. */
const MAX_NAME_LENGTH = 256;

// Control characters, and characters that change the direction of the surrounding text on a page.
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/**
 * Returns the name of the caller for people, from the first claim with a usable text; `undefined` if there is none.
 * Two callers may have the same name. An email address that the issuer has not verified is not used.
 */
export function displayName(payload: JsonObject, claims: readonly string[] | string): string | undefined {
  return [claims].flat().flatMap((name) => nameAt(payload, name))[0];
}

function nameAt(payload: JsonObject, claim: string): readonly string[] {
  const value = claimAt(payload, claim);
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_NAME_LENGTH) return [];
  if (claim === 'email' && payload['email_verified'] === false) return [];
  return UNPRINTABLE.test(value) ? [] : [value];
}
