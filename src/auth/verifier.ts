import type { Clock } from '../core/lib/clock.js';
import type { Principal, TokenVerifier } from '../core/principal.js';
import { readClaims } from './claims.js';
import type { RevokedTokens } from './revoked-tokens.js';
import { type Issuer, type KeySet, pickKey } from './issuer.js';
import { checkJwt } from './jwt.js';
import type { VerificationKey } from './keys.js';
import { readToken, type UnverifiedToken } from './token.js';
import { unauthorized } from './unauthorized.js';

export interface VerifierOptions {
  /** Each with an `iss` of its own. */
  readonly issuers: readonly Issuer[];
  readonly clock: Clock;
  /** Accepted tokens that are remembered; 10,000 unless told. */
  readonly cacheSize?: number;
  /** Tokens that are refused though nothing else is wrong with them. */
  readonly ended?: Pick<RevokedTokens, 'has'>;
}

/** A well-formed token, the issuer that it claims, and the key that would prove it. */
interface Claimant {
  readonly text: string;
  readonly token: UnverifiedToken;
  readonly issuer: Issuer;
}

/**
 * Makes the one judge of bearer tokens (RFC 7519, RFC 8725). The verdict is there at once unless an issuer's keys
 * must be fetched first. Every refusal is the same `unauthorized`; the reason is its `cause`.
 */
export function createVerifier({
  issuers,
  clock,
  cacheSize = 10_000,
  ended,
}: VerifierOptions): TokenVerifier {
  const issuersByName = new Map(issuers.map((issuer) => [issuer.rules.issuer, issuer]));
  const cache = createTokenCache(cacheSize);

  function verifyAnew(text: string): Principal | Promise<Principal> {
    const token = readToken(text);
    const { iss } = token.payload;
    const issuer = typeof iss === 'string' ? issuersByName.get(iss) : undefined;
    if (!issuer) throw new Error('iss is no issuer of the configuration');
    const claimant = { text, token, issuer };
    const held = issuer.keys.held();
    const key = held && pickKey(held, token);
    if (key) return accept(claimant, held, key);
    const renewal = issuer.keys.renew();
    if (!renewal)
      throw new Error(held ? 'no key of the issuer fits' : 'the keys of the issuer are not available');
    return renewal.then((keys) => acceptUnder(claimant, keys));
  }

  function acceptUnder(claimant: Claimant, keys: KeySet): Principal {
    const key = pickKey(keys, claimant.token);
    if (!key) throw new Error('no key of the issuer fits');
    return accept(claimant, keys, key);
  }

  function accept({ text, token, issuer }: Claimant, keys: KeySet, { key }: VerificationKey): Principal {
    const { rules } = issuer;
    const now = Math.floor(clock.now() / 1000);
    checkJwt(text, { key, algorithm: token.alg, rules, now });
    const principal = readClaims(token.payload, rules, now);
    const until = (principal.expiresAt + rules.clockToleranceSeconds) * 1000;
    cache.keep(text, { principal, issuer, keys, until });
    return principal;
  }

  return {
    verify(text) {
      if (ended?.has(text)) return refuse(new Error('the token was put away by signing out'));
      const known = cache.find(text, clock.now());
      if (known) return known.principal;
      try {
        const verdict = verifyAnew(text);
        return verdict instanceof Promise ? verdict.catch(refuse) : verdict;
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

function refuse(reason: unknown): never {
  throw unauthorized(reason);
}

/** What is known of a token that has been accepted, and how long that holds. */
export interface AcceptedToken {
  readonly principal: Principal;
  readonly issuer: Issuer;
  /** The keys that it was accepted under: when the issuer holds others, it is checked anew. */
  readonly keys: KeySet;
  /** First millisecond since 1970 at which it is not valid any more. */
  readonly until: number;
}

/** Remembers accepted tokens by their whole text; the one that has not been used for longest goes first. */
export interface TokenCache {
  /** The token, if it is still accepted at the time given, in milliseconds since 1970. */
  find(text: string, now: number): AcceptedToken | undefined;
  keep(text: string, token: AcceptedToken): void;
}

/** Makes a cache of at most `size` tokens; 0 keeps none. */
export function createTokenCache(size: number): TokenCache {
  // A Map lists its keys in the order of insertion: the first is the one used longest ago.
  const tokens = new Map<string, AcceptedToken>();
  // Its token is the last one already.
  let latest: AcceptedToken | undefined;
  return {
    find(text, now) {
      const token = tokens.get(text);
      if (!token) return undefined;
      const isOver = now >= token.until || token.issuer.keys.held() !== token.keys;
      if (isOver || token !== latest) tokens.delete(text);
      if (isOver) return undefined;
      if (token !== latest) tokens.set(text, token);
      latest = token;
      return token;
    },
    keep(text, token) {
      tokens.set(text, token);
      latest = undefined;
      if (tokens.size <= size) return;
      for (const oldest of tokens.keys()) {
        tokens.delete(oldest);
        return;
      }
    },
  };
}
