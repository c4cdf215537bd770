import { type KeyObject, randomUUID, createHash, createPublicKey, hkdfSync } from 'node:crypto';
import { ConfigError } from '../core/fault.js';
import type { Account } from '../core/login.js';
import { LOCAL_ISSUER } from '../core/principal.js';
import type { Clock } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';
import { type AccountSettings, accountsOf } from './accounts.js';
import { MAX_SUBJECT_LENGTH } from './claims.js';
import type { Issuer, IssuerRules, KeySet, KeySource } from './issuer.js';
import { signJwt } from './jwt.js';
import { createSigningKey, readPreviousKey, readSigningKey, type PreviousKey } from './key-file.js';
import type { VerificationKey } from './keys.js';
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

/** Minimum time between two reads of the key file for unknown key ids, in milliseconds. Anybody can send any key id. */
const READ_INTERVAL_MS = 1_000;

/** A key that verifies tokens, and the key of the account marks in its tokens. */
interface KnownKey {
  readonly verification: VerificationKey & { readonly kid: string };
  readonly markKey: Buffer;
  /** Time from which the key verifies no token, in milliseconds since 1970. */
  readonly until: number;
}

interface LocalKeysOptions {
  readonly keyFile: string;
  readonly signing: KeyObject;
  /** The key that the latest rotation replaced. */
  readonly previous: PreviousKey | undefined;
  /** Longest lifetime of a token, in milliseconds: the time for which a replaced key still verifies. */
  readonly overlapMs: number;
  readonly clock: Clock;
}

/** The keys that verify the tokens of the built-in issuer. */
interface LocalKeys {
  readonly source: KeySource;
  /** Key id of the signing key. */
  readonly kid: string;
  /** Returns the accounts by their marks with every key, also with keys that are found later. */
  readonly accountsFor: (settings: AccountSettings) => NonNullable<IssuerRules['accounts']>;
}

/**
 * Creates the keys: the signing key, the key that it replaced, and a key that another process has put into the file meanwhile.
 * The nodes of a cluster thus accept each other's tokens while they are restarted one by one after a rotation.
 */
function createLocalKeys({ keyFile, signing, previous, overlapMs, clock }: LocalKeysOptions): LocalKeys {
  const first = knownKey(signing, Infinity);
  let known = [first, ...(previous ? [knownKey(previous.key, previous.rotatedAt + overlapMs)] : [])];
  let set: KeySet = { keys: known.map(({ verification }) => verification) };
  let reading: Promise<KeySet> | undefined;
  const waitMs = createCooldown(clock, READ_INTERVAL_MS);

  const use = (keys: readonly KnownKey[]): void => {
    known = [...keys];
    set = { keys: known.map(({ verification }) => verification) };
  };
  const current = (): KeySet => {
    const valid = known.filter(({ until }) => until > clock.now());
    if (valid.length < known.length) use(valid);
    return set;
  };
  async function readAgain(): Promise<KeySet> {
    // A file that cannot be read changes nothing: the token has an unknown key.
    const found = await readSigningKey(keyFile).catch(() => undefined);
    const key = found && knownKey(found, Infinity);
    if (key && !known.some(({ verification: { kid } }) => kid === key.verification.kid)) use([...known, key]);
    return current();
  }
  return {
    kid: first.verification.kid,
    accountsFor(settings) {
      const accounts = new Map<string, Account>();
      const added = new Set<KnownKey>();
      return {
        get(mark) {
          for (const key of known) {
            if (!added.has(key)) addAccounts(accounts, settings, key);
            added.add(key);
          }
          return accounts.get(mark);
        },
      };
    },
    source: {
      current,
      renew() {
        if (reading) return reading;
        if (waitMs() > 0) return undefined;
        reading = readAgain().finally(() => {
          reading = undefined;
        });
        return reading;
      },
      refresh: () => undefined,
      prepare: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  };
}

function addAccounts(accounts: Map<string, Account>, settings: AccountSettings, { markKey }: KnownKey): void {
  for (const { account } of accountsOf(settings, markKey).values()) accounts.set(account.mark, account);
}

function knownKey(privateKey: KeyObject, until: number): KnownKey {
  const key = createPublicKey(privateKey);
  return {
    verification: { kid: thumbprint(key), algorithms: ['ES256'], key },
    markKey: deriveKey(privateKey, MARK_PURPOSE),
    until,
  };
}

const MARK_PURPOSE = 'gatehouse marks of accounts';

/** Derives a key for one purpose from a private key (HKDF, RFC 5869). */
function deriveKey(privateKey: KeyObject, purpose: string): Buffer {
  const material = privateKey.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', material, '', purpose, 32));
}

/** Returns the thumbprint of a key (RFC 7638): the hash of its required members, sorted by name. */
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
