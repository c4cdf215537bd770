import { createHash, createPublicKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import type { Clock } from '../core/lib/clock.js';
import { ConfigError } from '../core/fault.js';
import { accountsOf, type AccountSettings } from './accounts.js';
import { ROLE_COUNT, SUBJECT_LENGTH } from './claims.js';
import { LOCAL_ISSUER } from '../core/principal.js';
import { fixedKeys, type Issuer } from './issuer.js';
import { signJwt } from './jwt.js';
import { createSigningKey, readSigningKey } from './key-file.js';
import { TOKEN_LENGTH } from './token.js';

/** Maximum life of a token of the built-in issuer, in seconds. */
const MAX_LIFETIME_SECONDS = 86_400;
/** Tolerance for the clocks of one cluster. */
const CLOCK_TOLERANCE_SECONDS = 5;

export interface LocalIssuerOptions {
  readonly keyFile: string;
  readonly clock: Clock;
  readonly tokenTtlSeconds: number;
  /** Creates a missing key; otherwise a missing key is a ConfigError. */
  readonly createKey: boolean;
}

export interface MintRequest {
  readonly subject: string;
  readonly roles: readonly string[];
  /** Life in seconds; default: `tokenTtlSeconds`. */
  readonly ttlSeconds?: number;
  /** The mark of the account that logged in; absent without a login. */
  readonly account?: string;
}

/** A newly signed token. */
export interface IssuedToken {
  readonly token: string;
  /** Its `jti`. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface LocalIssuer {
  /** The issuer that the verifier needs to accept the tokens. */
  readonly issuer: Issuer;
  /**
   * Returns the issuer for these account settings: a token from a login then has the current roles of its
   * account.
   */
  readonly issuerFor: (accounts: AccountSettings) => Issuer;
  /** The key that derives the marks of accounts. */
  readonly markKey: Buffer;
  /** True if this call created the key. */
  readonly created: boolean;
  /** Signs a token. Throws a RangeError if the verifier would not accept its subject, roles or life. */
  readonly issueToken: (request: MintRequest) => string;
  /** Signs a token like `issueToken`; also returns its id and times. */
  readonly issue: (request: MintRequest) => IssuedToken;
  /**
   * Derives a key for one purpose from the signing key (HKDF, RFC 5869). It is the same on all nodes that
   * share the signing key.
   */
  readonly keyFor: (purpose: string) => Buffer;
}

/** Opens the built-in issuer: ES256 with its own key, `iss` and `aud` are `gatehouse`. Throws ConfigError. */
export async function openLocalIssuer(options: LocalIssuerOptions): Promise<LocalIssuer> {
  const { privateKey, created } = await openKey(options);
  const publicKey = createPublicKey(privateKey);
  const kid = thumbprint(publicKey);
  const issuer = {
    rules: {
      issuer: LOCAL_ISSUER,
      audience: [LOCAL_ISSUER],
      rolesClaim: '/roles',
      clockToleranceSeconds: CLOCK_TOLERANCE_SECONDS,
      maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    },
    keys: fixedKeys([{ kid, algorithms: ['ES256'], key: publicKey }]),
  } as const;
  const issue = (request: MintRequest): IssuedToken => {
    const claims = claimsFor(request, options);
    const token = signJwt(claims, privateKey, kid);
    if (token.length > TOKEN_LENGTH)
      throw new RangeError(`a token has at most ${TOKEN_LENGTH} characters: give it fewer roles`);
    return { token, id: claims.jti, issuedAt: claims.iat * 1000, expiresAt: claims.exp * 1000 };
  };
  const source = privateKey.export({ type: 'pkcs8', format: 'der' });
  const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', source, '', purpose, 32));
  const markKey = keyFor('gatehouse marks of accounts');
  const issuerFor = (settings: AccountSettings): Issuer => {
    const known = [...accountsOf(settings, markKey).values()];
    const accounts = new Map(known.map(({ account }) => [account.mark, account]));
    return { ...issuer, rules: { ...issuer.rules, accounts } };
  };
  return {
    issuer,
    issuerFor,
    markKey,
    created,
    issue,
    keyFor,
    issueToken: (request) => issue(request).token,
  };
}

async function openKey({
  keyFile,
  createKey,
}: LocalIssuerOptions): Promise<{ privateKey: KeyObject; created: boolean }> {
  try {
    return { privateKey: await readSigningKey(keyFile), created: false };
  } catch (error) {
    const isMissing = error instanceof ConfigError && error.faults[0]?.code === 'local_key_missing';
    if (!isMissing || !createKey) throw error;
  }
  const created = await createSigningKey(keyFile);
  return { privateKey: await readSigningKey(keyFile), created };
}

function claimsFor(
  { subject, roles, ttlSeconds, account }: MintRequest,
  { clock, tokenTtlSeconds }: LocalIssuerOptions,
): Parameters<typeof signJwt>[0] & { readonly exp: number; readonly jti: string } {
  const ttl = ttlSeconds ?? tokenTtlSeconds;
  if (!Number.isInteger(ttl) || ttl <= 0 || ttl > MAX_LIFETIME_SECONDS)
    throw new RangeError(`a token lives for 1 to ${MAX_LIFETIME_SECONDS} whole seconds`);
  if (subject === '' || subject.length > SUBJECT_LENGTH)
    throw new RangeError(`a subject has 1 to ${SUBJECT_LENGTH} characters`);
  if (roles.length > ROLE_COUNT) throw new RangeError(`a token carries at most ${ROLE_COUNT} roles`);
  const iat = Math.floor(clock.now() / 1000);
  return {
    iss: LOCAL_ISSUER,
    aud: LOCAL_ISSUER,
    sub: subject,
    roles,
    iat,
    exp: iat + ttl,
    jti: randomUUID(),
    ...(account !== undefined && { account }),
  };
}

/**
 * Returns the name of a key, derived from the key alone (RFC 7638): the hash of its members in the order of
 * their names.
 */
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
