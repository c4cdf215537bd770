import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { type Algorithm, fitsKey, isAlgorithm, type VerificationKey, weaknessOf } from './keys.js';
import { isKeyId } from './token.js';

/** Maximum number of keys in a set. */
const KEY_SET_SIZE = 100;

/** A key of a set that the server does not use. */
interface RefusedKey {
  /** Index of the key in the set. */
  readonly at: number;
  readonly reason: string;
}

/** The usable keys of a JWK set, and the unusable keys with reasons. */
interface KeySetReading {
  readonly keys: readonly VerificationKey[];
  readonly refused: readonly RefusedKey[];
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Reads a JWK set (RFC 7517 section 5) for the algorithms of its issuer. Refuses unusable keys, and all keys
 * that share a kid. Throws an Error if the document is not a JWK set or is too large.
 */
export function readKeySet(document: unknown, algorithms: readonly Algorithm[]): KeySetReading {
  const members = isJsonObject(document) ? document['keys'] : undefined;
  if (!Array.isArray(members)) throw new Error('the document is not a JWK set');
  if (members.length > KEY_SET_SIZE) throw new Error(`the JWK set has more than ${KEY_SET_SIZE} keys`);
  const readings = members.map((member: unknown, at) => ({ at, ...tryReadJwk(member, algorithms) }));
  const named = readings.flatMap(({ key }) => key?.kid ?? []);
  const shared = new Set(named.filter((kid, at) => named.indexOf(kid) !== at));
  const isShared = (key: VerificationKey): boolean => key.kid !== undefined && shared.has(key.kid);
  return {
    keys: readings.flatMap(({ key }) => (key && !isShared(key) ? [key] : [])),
    refused: readings.flatMap(({ at, key, reason }) => {
      if (key && !isShared(key)) return [];
      return [{ at, reason: reason ?? 'has the same kid as another key' }];
    }),
  };
}

function tryReadJwk(
  member: unknown,
  algorithms: readonly Algorithm[],
): { key?: VerificationKey; reason?: string } {
  try {
    return { key: readJwk(member, algorithms) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'cannot be read' };
  }
}

/** Reads one public JWK (RFC 7517 section 4). Throws an Error with the reason and without key text. */
function readJwk(jwk: unknown, algorithms: readonly Algorithm[]): VerificationKey {
  if (!isJsonObject(jwk)) throw new Error('is not a JSON object');
  const { kid } = jwk;
  if (!isKeyId(kid)) throw new Error('has a kid that is not a short text');
  checkPurpose(jwk);
  const key = importJwk(jwk);
  const weakness = weaknessOf(key);
  if (weakness !== undefined) throw new Error(weakness);
  const pinned = pinAlgorithms(jwk['alg'], key, algorithms);
  return { ...(kid !== undefined && { kid }), algorithms: pinned, key };
}

function checkPurpose(jwk: JsonObject): void {
  const { kty, use, key_ops: operations } = jwk;
  if (kty === 'oct') throw new Error('is a symmetric key, which must not be published');
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name)))
    throw new Error('has private members, so the private key is public');
  if (use !== undefined && use !== 'sig') throw new Error('is not for signatures (use)');
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    throw new Error('is not for verifying (key_ops)');
}

function importJwk(jwk: JsonObject): KeyObject {
  try {
    const { kty, n, e, crv, x, y } = jwk as JsonWebKey;
    return createPublicKey({ key: { kty, n, e, crv, x, y } as JsonWebKey, format: 'jwk' });
  } catch {
    throw new Error('is not a public key that can be read');
  }
}

/** Returns the algorithms of the key: its `alg`, or else the issuer's algorithms that fit the key. */
function pinAlgorithms(alg: unknown, key: KeyObject, algorithms: readonly Algorithm[]): readonly Algorithm[] {
  const fitting = algorithms.filter((name) => fitsKey(name, key));
  if (alg === undefined && fitting.length > 0) return fitting;
  if (isAlgorithm(alg) && fitting.includes(alg)) return [alg];
  throw new Error("fits none of the issuer's algorithms (kty, crv, alg)");
}
