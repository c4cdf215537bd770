import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../core/lib/clock.js';
import type { LocatedFault } from '../core/fault.js';
import type { Account, LoginAttempt, Logins } from '../core/login.js';
import { Problem } from '../core/problem.js';
import type { LocalIssuerSettings } from '../core/settings.js';
import { accountsOf, type KnownAccount } from './accounts.js';
import type { LoginThrottle } from './login-throttle.js';
import { networkOf } from './login-attempts.js';
import { verifyPassword, passwordHashFault } from './password-hash.js';

/**
 * Maximum size of a list of roles as JSON, in bytes: a token contains it, and a cookie contains the token.
 */
const ROLES_BYTES = 2048;

/**
 * Returns the faults of `auth.local.users` and `auth.local.clients`; pointers are relative to `auth.local`.
 */
function accountFaults({ users, clients }: LocalIssuerSettings): readonly LocatedFault[] {
  const named = [
    ...users.map(({ username, passwordHash, roles }, at) => ({
      name: username,
      hash: passwordHash,
      roles,
      at: `/users/${at}`,
      nameKey: 'username',
      hashKey: 'passwordHash',
    })),
    ...clients.map(({ clientId, clientSecretHash, roles }, at) => ({
      name: clientId,
      hash: clientSecretHash,
      roles,
      at: `/clients/${at}`,
      nameKey: 'clientId',
      hashKey: 'clientSecretHash',
    })),
  ];
  const names = named.map(({ name }) => name);
  return named.flatMap(({ name, hash, roles, at, nameKey, hashKey }, index) => [
    ...(names.indexOf(name) < index ? [duplicate(`${at}/${nameKey}`)] : []),
    ...hashFaults(hash.reveal(), `${at}/${hashKey}`),
    ...(Buffer.byteLength(JSON.stringify(roles)) > ROLES_BYTES ? [tooManyRoles(`${at}/roles`)] : []),
  ]);
}

function duplicate(pointer: string): LocatedFault {
  const message = 'is the name of another user or client above';
  return { pointer, code: 'auth_name', message, fix: 'Give every user and client a name of its own.' };
}

function hashFaults(encoded: string, pointer: string): readonly LocatedFault[] {
  const message = passwordHashFault(encoded);
  const fix = 'Make the hash with: gatehouse hash';
  return message === undefined ? [] : [{ pointer, code: 'auth_hash', message, fix }];
}

function tooManyRoles(pointer: string): LocatedFault {
  const message = `is longer than ${ROLES_BYTES} bytes, which is more than a token may carry`;
  return { pointer, code: 'auth_roles', message, fix: 'Give fewer roles, or shorter names.' };
}

interface LoginsOptions {
  readonly guard: LoginThrottle;
  /** Monotonic clock, which changes of the system time do not affect. */
  readonly clock: Clock;
  /** Specific to this installation and the same on all its nodes; default: a random key of this process. */
  readonly key?: Buffer | undefined;
  /** Derives the marks of accounts, like the key of the verifier; default: a random key of this process. */
  readonly markKey?: Buffer | undefined;
}

/** Name for the audit record and the log: an existing name, or a pseudonym for an unknown name. */
interface LoginSuspect {
  readonly shown: string;
  readonly entry: KnownAccount | undefined;
}

// Kept for the life of the process, so that a reload does not allow more guesses.
const OWN_KEY = randomBytes(32);

/**
 * Opens the accounts of `auth.local`; none are known while the built-in issuer is off. Pointers are relative
 * to `auth.local`.
 */
export function openLogins(
  settings: LocalIssuerSettings,
  { guard, clock, key = OWN_KEY, markKey = OWN_KEY }: LoginsOptions,
): { readonly value: Logins } | { readonly faults: readonly LocatedFault[] } {
  const faults = accountFaults(settings);
  if (faults.length > 0) return { faults };
  const entries = accountsOf(settings, markKey);
  const remembered = createRememberedLogins({ clock });
  const limits = settings.attempts;
  // Keyed, because people type their passwords into the name field, and a plain hash would allow guessing.
  const digest = (name: string): Buffer => createHmac('sha256', key).update(name).digest();

  function suspectOf({ name, kinds }: LoginAttempt): LoginSuspect {
    const found = entries.get(name);
    const entry = found && kinds.includes(found.account.kind) ? found : undefined;
    return { entry, shown: entry ? name : `unknown user ${digest(name).toString('hex').slice(0, 12)}` };
  }

  async function logIn(attempt: LoginAttempt): Promise<Account> {
    const suspect = suspectOf(attempt);
    try {
      return await admit(suspect, attempt);
    } catch (error) {
      throw told(error, suspect, attempt);
    }
  }

  async function admit({ entry, shown }: LoginSuspect, attempt: LoginAttempt): Promise<Account> {
    const guesser = { name: shown, isKnown: entry !== undefined, address: attempt.address };
    guard.check(guesser, limits);
    const known = remembered.find(attempt);
    if (known) return known;
    const validated = entry ?? decoyFor(digest(attempt.name), [...entries.values()]);
    const matches = () =>
      validated ? verifyPassword(attempt.password, validated.hash.reveal()) : Promise.resolve(false);
    const isRight = await guard.judge({ guesser, settings: limits }, async () => {
      const isMatch = await matches();
      return isMatch && entry !== undefined;
    });
    if (!isRight || !entry) throw refused();
    remembered.keep(attempt, entry.account);
    return entry.account;
  }

  return {
    value: {
      accept: new Set(settings.accept),
      tokenTtlSeconds: settings.tokenTtlSeconds,
      logIn,
      hasUsers: settings.enabled && settings.users.length > 0,
      guess(address, look) {
        // There is no name, so all attempts from one network count together.
        const guesser = { name: `somebody at ${networkOf(address)}`, isKnown: false, address };
        return guard.watch({ guesser, settings: limits }, look);
      },
    },
  };
}

/**
 * Returns the account whose hash is checked in place of an unknown name. It is always the same for a name, so
 * that the response time reveals nothing about the name.
 */
function decoyFor(digest: Buffer, entries: readonly KnownAccount[]): KnownAccount | undefined {
  return entries.length === 0 ? undefined : entries[digest.readUInt32BE() % entries.length];
}

/**
 * Creates the Problem for wrong credentials. A 401 needs a challenge (RFC 9110 section 15.5.2); a Basic
 * challenge would make browsers ask for the password and remember it.
 */
function refused(): Problem {
  const headers = { 'www-authenticate': 'Bearer' };
  return new Problem('invalid_credentials', 'Invalid credentials', { headers });
}

/** Adds the outcome for the audit record and the log to a failure. */
function told(error: unknown, { shown }: LoginSuspect, { address }: LoginAttempt): unknown {
  if (!(error instanceof Problem)) return error;
  const outcome = `${error.code}, ${shown}, from ${address}`;
  return new Problem(error.code, error.message, { ...error.extras, outcome });
}

/** Recently verified names and passwords, so that a call with them does not cost a hash each time. */
interface RememberedLogins {
  find(attempt: LoginAttempt): Account | undefined;
  keep(attempt: LoginAttempt, account: Account): void;
}

interface RememberOptions {
  readonly clock: Clock;
  /** Maximum number of entries; the oldest entry is removed first. */
  readonly size?: number;
  readonly lifeMs?: number;
}

/**
 * Creates an empty cache. It holds no password: entries are found by an HMAC whose key never leaves the
 * cache.
 */
export function createRememberedLogins(options: RememberOptions): RememberedLogins {
  const { clock, size = 1_000, lifeMs = 60_000 } = options;
  const key = randomBytes(32);
  const entries = new Map<string, { readonly account: Account; readonly until: number }>();
  const nameOf = ({ name, password }: LoginAttempt): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([name, password.reveal()]))
      .digest('base64');
  return {
    find(attempt) {
      const name = nameOf(attempt);
      const entry = entries.get(name);
      if (entry && clock.now() >= entry.until) entries.delete(name);
      else if (entry && attempt.kinds.includes(entry.account.kind)) return entry.account;
      return undefined;
    },
    keep(attempt, account) {
      entries.set(nameOf(attempt), { account, until: clock.now() + lifeMs });
      if (entries.size <= size) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
}
