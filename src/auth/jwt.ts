import { type KeyObject, verify as verifySignature } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { IssuerRules } from './issuer.js';
import { type Algorithm, algorithmKind } from './keys.js';
import { RejectedToken, type RejectionClass } from './rejected-token.js';

/** Key, algorithm and rules for a token. */
interface JwtExpectation {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  readonly rules: IssuerRules;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * Checks signature, issuer, audience and times with jsonwebtoken and one fixed algorithm. The library is
 * lenient, so `readToken` runs before this check and `readClaims` after it. Of an EdDSA token, which the library
 * does not know, checks the signature alone; `readClaims` checks the rest. Throws a RejectedToken with the message
 * of the library, which contains no token text.
 */
export function checkJwt(text: string, expected: JwtExpectation): void {
  if (algorithmKind(expected.algorithm).family === 'ed25519') {
    checkEdDsa(text, expected.key);
    return;
  }
  try {
    verifyJwt(text, expected);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown');
    throw new RejectedToken(rejectionClassOf(name, message), message);
  }
}

function verifyJwt(text: string, { key, algorithm, rules, now }: JwtExpectation): void {
  const [first, ...others] = rules.audience;
  if (first === undefined) throw new Error('the issuer has no audience');
  jwt.verify(text, key, {
    algorithms: [algorithm as jwt.Algorithm],
    issuer: rules.issuer,
    audience: [first, ...others],
    clockTolerance: rules.clockToleranceSeconds,
    clockTimestamp: now,
  });
}

/** Checks an Ed25519 signature (RFC 8037 section 3.1). */
function checkEdDsa(text: string, key: KeyObject): void {
  const end = text.lastIndexOf('.');
  const signature = Buffer.from(text.slice(end + 1), 'base64url');
  if (!verifySignature(null, Buffer.from(text.slice(0, end)), key, signature))
    throw new RejectedToken('signature', 'invalid signature');
}

/** Returns the class of an error of the library, which checks the signature before the claims. */
function rejectionClassOf(name: string, message: string): RejectionClass {
  if (name === 'TokenExpiredError') return 'expired';
  if (name === 'NotBeforeError') return 'not_active';
  return message.startsWith('jwt audience') ? 'audience' : 'signature';
}

/** Signs claims, which contain `iat`, with ES256. */
export function signJwt(
  claims: { readonly iat: number } & Readonly<Record<string, unknown>>,
  key: KeyObject,
  kid: string,
): string {
  return jwt.sign(claims, key, { algorithm: 'ES256', keyid: kid });
}
