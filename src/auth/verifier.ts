import type { Clock } from '../core/lib/clock.js';
import type { Principal, TokenVerifier } from '../core/principal.js';
import { readClaims } from './claims.js';
import type { RevokedTokens } from './revoked-tokens.js';
import { type Issuer, type KeySet, pickKey } from './issuer.js';
import { checkJwt } from './jwt.js';
import type { VerificationKey } from './keys.js';
import { readToken, type UnverifiedToken } from './token.js';
import { Problem } from '../core/problem.js';

interface VerifierOptions {
  /** Issuers with different `iss` values. */
  readonly issuers: readonly Issuer[];
  readonly clock: Clock;
  /** Maximum number of accepted tokens in the cache; default: 10,000. */
  readonly cacheSize?: number;
  /** Revoked tokens, which are refused although they are otherwise valid. */
  readonly ended?: Pick<RevokedTokens, 'has'>;
}

/** A well-formed token and the issuer that it claims. */
interface Claimant {
  readonly text: string;
  readonly token: UnverifiedToken;
  readonly issuer: Issuer;
}

/**
 * Creates the only verifier of bearer tokens (RFC 7519, RFC 8725). The result is synchronous unless the keys
 * of an issuer must be fetched first. Every refusal is the same `unauthorized`; the reason is its `cause`.
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

/** Principal of an accepted token, and the conditions under which it stays accepted. */
interface AcceptedToken {
  readonly principal: Principal;
  readonly issuer: Issuer;
  /**
   * The keys of the issuer at the time of the check; if the issuer holds others, the token is checked again.
   */
  readonly keys: KeySet;
  /** Time of expiry, in milliseconds since 1970; the token is invalid from then on. */
  readonly until: number;
}

/** Cache of accepted tokens by their whole text; the least recently used token is removed first. */
interface TokenCache {
  /** Returns the token if it is still accepted at the given time, in milliseconds since 1970. */
  find(text: string, now: number): AcceptedToken | undefined;
  keep(text: string, token: AcceptedToken): void;
}

/** Creates a cache of at most `size` tokens; 0 keeps none. */
export function createTokenCache(size: number): TokenCache {
  // A Map lists its keys in the order of insertion, so the first key is the least recently used.
  const tokens = new Map<string, AcceptedToken>();
  // The token that is already last in the map and need not move.
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

/**
 * Creates the Problem for every token that is not accepted. It is always the same, so that a caller learns
 * nothing from it; `cause` is for the log.
 */
export function unauthorized(cause: unknown): Problem {
  return new Problem('unauthorized', 'A valid bearer token is required.', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });
}
