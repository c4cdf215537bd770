import { type KeyObject, randomUUID } from 'node:crypto';
import { ConfigError } from '../core/fault.js';
import { LOCAL_ISSUER } from '../core/principal.js';
import type { Clock } from '../lib/clock.js';
import type { AccountSettings } from './accounts.js';
import { MAX_SUBJECT_LENGTH } from './claims.js';
import type { Issuer } from './issuer.js';
import { signJwt } from './jwt.js';
import { createSigningKey, readPreviousKey, readSigningKey } from './key-file.js';
import { createLocalKeys, deriveKey, MARK_PURPOSE } from './local-keys.js';
import { MAX_ROLES } from './token-roles.js';
import { MAX_TOKEN_LENGTH } from './token.js';

/** Maximum lifetime of a token of the built-in issuer, in seconds. */
export const MAX_LIFETIME_SECONDS = 86_400;
/** Tolerance for the clocks of one cluster. */
const CLOCK_TOLERANCE_SECONDS = 5;

interface LocalIssuerOptions {
  readonly keyFile: string;
  readonly clock: Clock;
  readonly tokenTtlSeconds: number;
  /** True creates a missing key; false throws a ConfigError for a missing key. */
  readonly createKey: boolean;
}

interface MintRequest {
  readonly subject: string;
  readonly roles: readonly string[];
  /** Lifetime in seconds; default: `tokenTtlSeconds`. */
  readonly ttlSeconds?: number;
  /** The mark (credential fingerprint) of the account that logged in; absent without a login. */
  readonly account?: string;
}

/** A newly signed token. */
interface IssuedToken {
  readonly token: string;
  /** The claim `jti` of the token. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface LocalIssuer {
  /** The issuer's rules and keys for the verifier. */
  readonly issuer: Issuer;
  /**
   * Returns the issuer for account settings. A token from a login then has the current roles of its account.
   */
  readonly issuerFor: (accounts: AccountSettings) => Issuer;
  /** Key for the marks (credential fingerprints) of accounts. */
  readonly markKey: Buffer;
  /** True if this call created the key. */
  readonly created: boolean;
  /**
   * Signs a token. Throws a RangeError if the verifier would reject its subject, roles, lifetime or length.
   */
  readonly issueToken: (request: MintRequest) => string;
  /** Signs a token like `issueToken`, and also returns its id and times. */
  readonly issue: (request: MintRequest) => IssuedToken;
  /**
   * Derives a key for one purpose from the signing key (HKDF, RFC 5869). All nodes with the same signing key
   * derive the same key.
   */
  readonly keyFor: (purpose: string) => Buffer;
}

/** Opens the built-in issuer: ES256, with `gatehouse` as `iss` and `aud`. Throws ConfigError. */
export async function openLocalIssuer(options: LocalIssuerOptions): Promise<LocalIssuer> {
  const { privateKey, created } = await openKey(options);
  const keys = createLocalKeys({
    keyFile: options.keyFile,
    signing: privateKey,
    previous: await readPreviousKey(options.keyFile),
    overlapMs: MAX_LIFETIME_SECONDS * 1000,
    clock: options.clock,
  });
  const issuer = {
    rules: {
      issuer: LOCAL_ISSUER,
      audience: [LOCAL_ISSUER],
      rolesClaim: '/roles',
      clockToleranceSeconds: CLOCK_TOLERANCE_SECONDS,
      maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    },
    keys: keys.source,
  } as const;
  const issue = (request: MintRequest): IssuedToken => {
    const claims = claimsFor(request, options);
    const token = signJwt(claims, privateKey, keys.kid);
    if (token.length > MAX_TOKEN_LENGTH)
      throw new RangeError(`a token has at most ${MAX_TOKEN_LENGTH} characters: give it fewer roles`);
    return { token, id: claims.jti, issuedAt: claims.iat * 1000, expiresAt: claims.exp * 1000 };
  };
  const keyFor = (purpose: string): Buffer => deriveKey(privateKey, purpose);
  const markKey = keyFor(MARK_PURPOSE);
  const issuerFor = (settings: AccountSettings): Issuer => ({
    ...issuer,
    rules: { ...issuer.rules, accounts: keys.accountsFor(settings) },
  });
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
  if (subject === '' || subject.length > MAX_SUBJECT_LENGTH)
    throw new RangeError(`a subject has 1 to ${MAX_SUBJECT_LENGTH} characters`);
  if (roles.length > MAX_ROLES) throw new RangeError(`a token carries at most ${MAX_ROLES} roles`);
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
