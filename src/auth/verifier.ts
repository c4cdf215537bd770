import { hash } from 'node:crypto';
import { LOCAL_ISSUER, type Principal, type TokenVerifier } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import type { JsonObject } from '../json/json-object.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Clock } from '../lib/clock.js';
import { readClaims } from './claims.js';
import { type Issuer, type IssuerRules, type KeySet, pickKey } from './issuer.js';
import { checkJwt } from './jwt.js';
import type { VerificationKey } from './keys.js';
import { invalidToken, RejectedToken, rejectionOf } from './rejected-token.js';
import { originOf, type TokenOrigin } from './revoked-sessions.js';
import type { RevokedTokens } from './revoked-tokens.js';
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

/** Claim `typ` of Keycloak tokens that are not access tokens, in lower case. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  'refresh',
  'offline',
  'logout',
  'logout+jwt',
  'serialized-id',
  'initialaccesstoken',
  'registrationaccesstoken',
]);

/** Claim `typ` (Keycloak) or `token_use` (Amazon Cognito) of access tokens, in lower case. */
const ACCESS_TYPES: ReadonlySet<unknown> = new Set(['bearer', 'access']);

/** Claims that only an ID token has (OpenID Connect Core 1.0, sections 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Throws a RejectedToken unless the token is an access token that any holder may use. An ID token is accepted if the
 * rules of the issuer allow it.
 */
function checkTokenType(
  { isAccessToken, payload }: UnverifiedToken,
  { acceptIdTokens = false }: IssuerRules,
): void {
  // A client that shows a bound token must also prove its key (RFC 9449, RFC 8705).
  if (payload['cnf'] !== undefined)
    throw new RejectedToken(
      'bound',
      'the token is bound to a key of the client (cnf), which is not supported',
    );
  const types = [payload['typ'], payload['token_use']].map(lowerCase);
  if (payload['events'] !== undefined || types.some((type) => OTHER_TYPES.has(type)))
    throw new RejectedToken('type', 'the claims are those of a refresh token or a logout token');
  if (acceptIdTokens || !isIdToken(payload, types, isAccessToken)) return;
  throw new RejectedToken('type', 'the claims are those of an ID token, and acceptIdTokens is not set');
}

function isIdToken(payload: JsonObject, types: readonly unknown[], isAccessToken: boolean): boolean {
  if (types.includes('id')) return true;
  if (isAccessToken || types.some((type) => ACCESS_TYPES.has(type))) return false;
  return ID_TOKEN_CLAIMS.some((name) => payload[name] !== undefined);
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}

/** Principal of an accepted token, and the conditions under which it stays accepted. */
interface AcceptedToken {
  readonly principal: Principal;
  readonly issuer: Issuer;
  /**
   * The keys of the issuer at the time of the check. If the issuer has other keys, the verifier checks the
   * token again.
   */
  readonly keys: KeySet;
  /** Time of expiry, in milliseconds since 1970; the token is invalid from this time. */
  readonly expiresAt: number;
  readonly origin: TokenOrigin;
}

/** Cache of accepted tokens by their whole text. A full cache removes the least recently used token. */
interface TokenCache {
  /** Returns the token if it is still valid at the time `now`, in milliseconds since 1970. */
  find(text: string, now: number): AcceptedToken | undefined;
  add(text: string, token: AcceptedToken): void;
}

/** Maximum memory of the accepted tokens, in bytes: about 120,000 ordinary tokens. */
const MAX_BYTES = 96 * 1024 * 1024;
/** Memory of a token in the cache without the texts of its principal, in bytes. */
const TOKEN_BYTES = 512;
/** Number of recent tokens whose digest is kept, so that it need not be calculated again. */
const MAX_RECENT = 1_000;

/**
 * Creates a cache of at most 96 MiB, and of at most `maxSize` tokens if this is given; 0 disables the cache. It keeps the
 * SHA-256 digest of a token in place of its text, which is several times as large as all else.
 */
export function createTokenCache(maxSize = Infinity): TokenCache {
  const tokens = new BoundedMap<string, AcceptedToken>({ maxEntries: maxSize, maxWeight: MAX_BYTES });
  const digests = new BoundedMap<string, string>({ maxEntries: Math.min(maxSize, MAX_RECENT) });
  return {
    find(text, now) {
      const recent = digests.get(text);
      const digest = recent ?? digestOf(text);
      const token = tokens.get(digest);
      if (!token) return undefined;
      if (now < token.expiresAt && token.issuer.keys.current() === token.keys) {
        if (recent === undefined) digests.set(text, digest);
        return token;
      }
      tokens.delete(digest);
      digests.delete(text);
      return undefined;
    },
    add(text, token) {
      tokens.set(digestOf(text), token, TOKEN_BYTES + 2 * JSON.stringify(token.principal).length);
    },
  };
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
