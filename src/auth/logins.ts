import { createHmac, randomBytes } from 'node:crypto';
import type { LocatedFault } from '../core/fault.js';
import type { Account, LoginAttempt, Logins } from '../core/login.js';
import { Problem, withExtras } from '../core/problem.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Clock } from '../lib/clock.js';
import { networkOf } from '../lib/network-of.js';
import { singleFlight } from '../lib/single-flight.js';
import type { AttemptSettings, LocalIssuerSettings } from '../settings/settings.js';
import { accountsOf, type KnownAccount } from './accounts.js';
import type { LoginSource } from './login-attempts.js';
import type { LoginThrottle } from './login-throttle.js';
import { verifyPassword, passwordHashFault } from './password-hash.js';

/**
 * Maximum size of a list of roles as JSON, in bytes. A token contains the roles, and a cookie contains the
 * token.
 */
const MAX_ROLES_BYTES = 2048;

/**
 * Returns the faults of `auth.local.users` and `auth.local.clients`. Pointers are relative to `auth.local`.
 */
function accountFaults({ users, clients }: LocalIssuerSettings): readonly LocatedFault[] {
  const accounts = [
    ...users.map(({ username, passwordHash, roles }, index) => ({
      name: username,
      hash: passwordHash,
      roles,
      pointer: `/users/${index}`,
      nameKey: 'username',
      hashKey: 'passwordHash',
    })),
    ...clients.map(({ clientId, clientSecretHash, roles }, index) => ({
      name: clientId,
      hash: clientSecretHash,
      roles,
      pointer: `/clients/${index}`,
      nameKey: 'clientId',
      hashKey: 'clientSecretHash',
    })),
  ];
  const names = accounts.map(({ name }) => name);
  return accounts.flatMap(({ name, hash, roles, pointer, nameKey, hashKey }, index) => [
    ...(names.indexOf(name) < index ? [duplicate(`${pointer}/${nameKey}`)] : []),
    ...hashFaults(hash.reveal(), `${pointer}/${hashKey}`),
    ...(Buffer.byteLength(JSON.stringify(roles)) > MAX_ROLES_BYTES ? [tooManyRoles(`${pointer}/roles`)] : []),
  ]);
}

function duplicate(pointer: string): LocatedFault {
  const message = 'is the name of another user or client above';
  return { pointer, code: 'auth_name', message, fix: 'Give every user and client a unique name.' };
}

function hashFaults(encoded: string, pointer: string): readonly LocatedFault[] {
  const message = passwordHashFault(encoded);
  const fix = 'Create the hash with: gatehouse hash';
  return message === undefined ? [] : [{ pointer, code: 'auth_hash', message, fix }];
}

function tooManyRoles(pointer: string): LocatedFault {
  const message = `is longer than ${MAX_ROLES_BYTES} bytes, which is more than a token may carry`;
  return { pointer, code: 'auth_roles', message, fix: 'Give fewer roles, or shorter names.' };
}

interface LoginsOptions {
  readonly guard: LoginThrottle;
  /** Monotonic clock, which changes of the system time do not affect. */
  readonly clock: Clock;
  /** Key for pseudonyms, the same on all nodes of an installation; default: a random key of this process. */
  readonly key?: Buffer | undefined;
  /**
   * Key for the fingerprints of accounts, the same as in the verifier; default: a random key of this process.
   */
  readonly markKey?: Buffer | undefined;
}

interface LoginSubject {
  /** Name for the audit record and the log: the account's name, or a pseudonym for an unknown name. */
  readonly shown: string;
  /** The account with the name; `undefined` for an unknown name. */
  readonly entry: KnownAccount | undefined;
  /** Hash that the password is compared with: for an unknown name that of another account, if there is one. */
  readonly hash: string | undefined;
}

// The key lives as long as the process, so that a reload does not permit more guesses.
const PROCESS_KEY = randomBytes(32);

/**
 * Creates the logins for the accounts of `auth.local`, or returns the faults of the settings. While the
 * built-in issuer is disabled, there are no accounts. Pointers are relative to `auth.local`.
 */
export function openLogins(
  settings: LocalIssuerSettings,
  { guard, clock, key = PROCESS_KEY, markKey = PROCESS_KEY }: LoginsOptions,
): { readonly value: Logins } | { readonly faults: readonly LocatedFault[] } {
  const faults = accountFaults(settings);
  if (faults.length > 0) return { faults };
  const entries = accountsOf(settings, markKey);
  const cache = createLoginCache({ clock });
  const limits = settings.attempts;
  const verifyOnce = sharedVerification(guard, limits);
  // The digest has a key, because people type passwords into the name field and a plain hash permits
  // guessing.
  const digest = (name: string): Buffer => createHmac('sha256', key).update(name).digest();

  function subjectOf({ name, kinds }: LoginAttempt): LoginSubject {
    const found = entries.get(name);
    const entry = found && kinds.includes(found.account.kind) ? found : undefined;
    const hash = (entry ?? decoyFor(digest(name), [...entries.values()]))?.hash.reveal();
    return { entry, hash, shown: entry ? name : `unknown user ${digest(name).toString('hex').slice(0, 12)}` };
  }

  async function logIn(attempt: LoginAttempt): Promise<Account> {
    const subject = subjectOf(attempt);
    try {
      return await admit(subject, attempt);
    } catch (error) {
      throw withAuditOutcome(error, subject, attempt);
    }
  }

  async function admit({ entry, shown, hash }: LoginSubject, attempt: LoginAttempt): Promise<Account> {
    const source = { name: shown, isKnown: entry !== undefined, address: attempt.address };
    const remembered = cache.find(attempt);
    if (remembered) {
      guard.checkRemembered(source, limits);
      return remembered;
    }
    guard.check(source, limits);
    if (!(await verifyOnce({ source, hash }, attempt)) || !entry) throw invalidCredentials();
    cache.add(attempt, entry.account);
    return entry.account;
  }

  return {
    value: {
      accept: new Set(settings.accept),
      tokenTtlSeconds: settings.tokenTtlSeconds,
      logIn,
      hasUsers: settings.enabled && settings.users.length > 0,
      rolesOf: (name) => entries.get(name)?.account.roles,
      guess: (address, check) => guard.checkToken({ source: { address }, settings: limits }, check),
    },
  };
}

/** A source whose password is compared with a hash. */
interface Verification extends Pick<LoginSubject, 'hash'> {
  readonly source: LoginSource;
}

/**
 * Returns the check of a password. Clients of a fleet log in at the same moment: concurrent checks of one name and
 * password, from any address, share one hash. The limits count one guess, which is all that these requests can learn.
 */
function sharedVerification(guard: LoginThrottle, settings: AttemptSettings) {
  return singleFlight(
    ({ source, hash }: Verification, { password }: LoginAttempt) =>
      guard.checkPassword({ source, settings }, async () => {
        const isMatch = hash !== undefined && (await verifyPassword(password, hash));
        return isMatch && source.isKnown;
      }),
    (_, { name, kinds, password }) => keyedDigest([name, kinds, password.reveal()]),
  );
}

/**
 * Returns the account whose hash replaces that of an unknown name. An unknown name always has the same
 * replacement, so that the response time does not reveal whether the name exists.
 */
function decoyFor(digest: Buffer, entries: readonly KnownAccount[]): KnownAccount | undefined {
  return entries.length === 0 ? undefined : entries[digest.readUInt32BE() % entries.length];
}

/**
 * Creates the Problem for wrong credentials. A 401 needs a challenge (RFC 9110 section 15.5.2). The challenge
 * is not Basic, because browsers would then ask for the password and remember it.
 */
function invalidCredentials(): Problem {
  const headers = { 'www-authenticate': 'Bearer' };
  return new Problem('invalid_credentials', 'Invalid credentials', { headers });
}

/** Returns the error with the outcome for the audit record and the log. */
function withAuditOutcome(error: unknown, { shown }: LoginSubject, { address }: LoginAttempt): unknown {
  if (!(error instanceof Problem)) return error;
  const outcome = `${error.code}, ${shown}, from ${address}`;
  return withExtras(error, { outcome, callerName: shown });
}

/**
 * Cache of verified names and passwords by address, so that a repeated login needs no password hash. A login from
 * another address is not in the cache, so that the cache helps nobody to guess.
 */
interface LoginCache {
  find(attempt: LoginAttempt): Account | undefined;
  add(attempt: LoginAttempt, account: Account): void;
}

interface LoginCacheOptions {
  readonly clock: Clock;
  /** Maximum number of entries; the least recently used entry is removed first. */
  readonly size?: number;
  /** Lifetime of an entry after its last use. */
  readonly ttlMs?: number;
}

const DAY_MS = 86_400_000;

/** Key of digests that contain a password; it never leaves this module. */
const DIGEST_KEY = randomBytes(32);

/** Returns a key for a map that does not reveal the texts. */
function keyedDigest(texts: readonly unknown[]): string {
  return createHmac('sha256', DIGEST_KEY).update(JSON.stringify(texts)).digest('base64');
}

/**
 * Creates an empty cache. The cache contains no password: the key of an entry is an HMAC of name and
 * password.
 */
export function createLoginCache(options: LoginCacheOptions): LoginCache {
  const { clock, size = 1_000, ttlMs = DAY_MS } = options;
  const entries = new BoundedMap<string, { readonly account: Account; readonly expiresAt: number }>({
    maxEntries: size,
  });
  const cacheKeyOf = ({ name, password, address }: LoginAttempt): string =>
    keyedDigest([name, password.reveal(), networkOf(address)]);
  return {
    find(attempt) {
      const name = cacheKeyOf(attempt);
      const entry = entries.get(name);
      if (!entry || !attempt.kinds.includes(entry.account.kind)) return undefined;
      if (clock.now() >= entry.expiresAt) {
        entries.delete(name);
        return undefined;
      }
      entries.set(name, { ...entry, expiresAt: clock.now() + ttlMs });
      return entry.account;
    },
    add(attempt, account) {
      entries.set(cacheKeyOf(attempt), { account, expiresAt: clock.now() + ttlMs });
    },
  };
}
