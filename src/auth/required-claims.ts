import { memberOf, type JsonObject } from '../json/json-object.js';
import { valueAt } from '../json/pointer.js';
import type { ClaimValue } from '../settings/settings.js';
import { RejectedToken } from './rejected-token.js';

/** Claims whose text is a list of words (RFC 6749 section 3.3, RFC 8693 section 4.2). */
const WORD_LISTS = ['scope', 'scp'];

/**
 * Returns the claim with this name, or the value at this JSON pointer if `name` starts with a slash; `undefined` if
 * there is none.
 */
export function claimAt(payload: JsonObject, name: string): unknown {
  return name.startsWith('/') ? valueAt(payload, name) : memberOf(payload, name);
}

/**
 * Throws a RejectedToken that names the first required claim that has none of its values. A claim that is a list
 * must contain one of them, and so must the words of `scope` and `scp`.
 */
export function checkRequiredClaims(
  payload: JsonObject,
  required: Readonly<Record<string, ClaimValue | readonly ClaimValue[]>>,
): void {
  for (const [name, wanted] of Object.entries(required)) {
    const claim = claimAt(payload, name);
    const present = valuesOf(name, claim);
    const accepted: readonly ClaimValue[] = [wanted].flat();
    if (accepted.some((value) => present.includes(value))) continue;
    throw new RejectedToken('claims', `the claim ${name} ${faultOf(claim, present, accepted)}`);
  }
}

/** Describes why a claim has none of the accepted values. Contains no value of the token. */
function faultOf(claim: unknown, present: readonly unknown[], accepted: readonly ClaimValue[]): string {
  if (claim === undefined || claim === null) return 'is missing';
  if (present.some((value) => accepted.some((one) => typeof one === typeof value)))
    return 'has none of the values of requiredClaims';
  if (present.length === 0) return 'is an empty list';
  const [kind, wanted] = [claimKind(claim), claimKind(accepted[0])];
  return `is ${kind}, and requiredClaims expects ${wanted}`;
}

/** Returns the kind of a claim in words, for example "a number". */
export function claimKind(claim: unknown): string {
  if (Array.isArray(claim))
    return claim.length === 0 ? 'an empty list' : `a list with ${claimKind(claim[0])}`;
  if (claim === null) return 'null';
  if (typeof claim === 'object') return 'an object';
  if (typeof claim === 'string') return claim === '' ? 'an empty text' : 'a text';
  return `a ${typeof claim}`;
}

/** Returns the values of a claim: those of a list, the words of `scope` and `scp`, else the claim itself. */
export function valuesOf(name: string, claim: unknown): readonly unknown[] {
  if (Array.isArray(claim)) return claim;
  if (typeof claim === 'string' && WORD_LISTS.includes(name)) return claim.split(' ');
  return claim === undefined || claim === null ? [] : [claim];
}
