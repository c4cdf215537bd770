import { LOCAL_ISSUER, type Principal, type TokenVerifier } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import type { Clock } from '../lib/clock.js';
import { readClaims } from './claims.js';
import { type Issuer, type IssuerRules, type KeySet, pickKey } from './issuer.js';
import { checkJwt } from './jwt.js';
import type { VerificationKey } from './keys.js';
import { invalidToken, RejectedToken, rejectionOf } from './rejected-token.js';
import { originOf } from './revoked-sessions.js';
import type { RevokedTokens } from './revoked-tokens.js';
import { createTokenCache } from './token-cache.js';
import { checkTokenType } from './token-type.js';
import { readToken, type UnverifiedToken } from './token.js';

interface VerifierOptions {
  /** The trusted issuers; each has a different `iss`. */
  readonly issuers: readonly Issuer[];
  readonly clock: Clock;
  /** Maximum number of accepted tokens in the cache; absent: as many as its memory holds. */
  readonly cacheSize?: number;
  /** Maximum length of a token, in characters; default: 8192. */
  readonly maxTokenLength?: number | undefined;
  /** Revoked tokens, which the verifier rejects although they are otherwise valid. */
  readonly ended?: RevokedTokens;
}

/** A well-formed token and the issuer that it claims. */
interface UncheckedToken {
  readonly text: string;
  readonly token: UnverifiedToken;
  readonly issuer: Issuer;
}

/**
 * Creates the verifier of bearer tokens (RFC 7519, RFC 8725). The result is synchronous unless the verifier
 * must first fetch the keys of an issuer. Every rejection is the same `unauthorized` with the class of the reason
 * in its challenge; its `cause` is the reason. The verifier throws `issuer_unavailable` for a token that it cannot
 * check, because it cannot fetch the keys.
 */
export function createVerifier({
  issuers,
  clock,
  cacheSize,
  maxTokenLength,
  ended,
}: VerifierOptions): TokenVerifier {
  const issuersByName = new Map(issuers.map((issuer) => [issuer.rules.issuer, issuer]));
  const cache = createTokenCache(cacheSize);

  function verifyUncached(text: string): Principal | Promise<Principal> {
    const token = readToken(text, maxTokenLength);
    const { iss } = token.payload;
    const issuer = typeof iss === 'string' ? issuersByName.get(iss) : undefined;
    if (!issuer) throw new RejectedToken('issuer', 'iss is not an issuer of the configuration');
    checkTokenType(token, issuer.rules);
    const unchecked = { text, token, issuer };
    const current = issuer.keys.current();
    const key = current && pickKey(current, token);
    if (key) return accept(unchecked, current, key);
    // A token with wrong claims is refused anyway, so it causes no fetch. The mark of its account depends on the missing key.
    readClaims(token.payload, withoutAccounts(issuer.rules), secondsNow());
    const renewal = issuer.keys.renew(token);
    if (!renewal) throw noKey(issuer);
    return renewal.then((keys) => acceptWith(unchecked, keys));
  }

  function acceptWith(unchecked: UncheckedToken, keys: KeySet): Principal {
    const key = pickKey(keys, unchecked.token);
    if (!key) throw noKey(unchecked.issuer);
    return accept(unchecked, keys, key);
  }

  const secondsNow = (): number => Math.floor(clock.now() / 1000);

  function accept(unchecked: UncheckedToken, keys: KeySet, key: VerificationKey): Principal {
    const { text, token, issuer } = unchecked;
    const principal = checkToken(unchecked, key, secondsNow());
    const origin = originOf(issuer.rules.issuer, token.payload);
    if (ended?.hasOrigin(origin)) throw SESSION_ENDED;
    const expiresAt = (principal.expiresAt + issuer.rules.clockToleranceSeconds) * 1000;
    cache.add(text, { principal, issuer, keys, expiresAt, origin });
    return principal;
  }

  return {
    verify(text) {
      if (ended?.has(text))
        return throwRejection(new RejectedToken('revoked', 'the token was revoked by a sign-out'));
      const known = cache.find(text, clock.now());
      if (known) return ended?.hasOrigin(known.origin) ? throwRejection(SESSION_ENDED) : known.principal;
      try {
        const result = verifyUncached(text);
        return result instanceof Promise ? result.catch(throwRejection) : result;
      } catch (error) {
        return throwRejection(error);
      }
    },
  };
}

/** Returns the principal of a token. Throws a RejectedToken; it names the caller if the signature is valid. */
function checkToken(
  { text, token, issuer: { rules } }: UncheckedToken,
  { key }: VerificationKey,
  now: number,
): Principal {
  try {
    checkJwt(text, { key, algorithm: token.alg, rules, now });
    return readClaims(token.payload, rules, now);
  } catch (error) {
    throw rejectionOf(error, { issuer: rules.issuer, subject: String(token.payload['sub']) });
  }
}

const SESSION_ENDED = new RejectedToken(
  'revoked',
  'the identity provider has ended the session of the token',
);

/** Throws the Problem of a rejected token; a Problem, such as `issuer_unavailable`, unchanged. */
function throwRejection(reason: unknown): never {
  throw reason instanceof Problem ? reason : invalidToken(reason);
}

/** Returns the rules without the accounts. */
function withoutAccounts({ accounts: _accounts, ...rules }: IssuerRules): IssuerRules {
  return rules;
}

/** Returns the rejection of a token that no key of its issuer has signed, with the next step for the operator. */
function noKey({ rules }: Issuer): RejectedToken {
  const reason =
    rules.issuer === LOCAL_ISSUER
      ? 'no key of the issuer fits: another node or an earlier key signed the token; give all nodes the same auth.local.keyFile'
      : 'no key of the issuer fits';
  return new RejectedToken('signature', reason);
}
