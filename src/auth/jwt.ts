import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Algorithm } from './keys.js';
import type { IssuerRules } from './issuer.js';

/** Key, algorithm and rules for a token. */
export interface JwtExpectation {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  readonly rules: IssuerRules;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * Checks signature, issuer, audience and times with jsonwebtoken and one fixed algorithm. The library is
 * lenient, so `readToken` runs before this check and `readClaims` after it. Throws the library's error, which
 * contains no token text.
 */
export function checkJwt(text: string, { key, algorithm, rules, now }: JwtExpectation): void {
  const [first, ...others] = rules.audience;
  if (first === undefined) throw new Error('the issuer has no audience');
  jwt.verify(text, key, {
    algorithms: [algorithm],
    issuer: rules.issuer,
    audience: [first, ...others],
    clockTolerance: rules.clockToleranceSeconds,
    clockTimestamp: now,
  });
}

/** Signs claims, which contain `iat`, with ES256. */
export function signJwt(
  claims: { readonly iat: number } & Readonly<Record<string, unknown>>,
  key: KeyObject,
  kid: string,
): string {
  return jwt.sign(claims, key, { algorithm: 'ES256', keyid: kid });
}
