import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../core/lib/clock.js';
import type { LocatedFault } from '../core/fault.js';
import type { Account, LoginAttempt, Logins } from '../core/login.js';
import { Problem } from '../core/problem.js';
import type { LocalIssuerSettings } from '../core/settings.js';
import { accountFaults } from './account-faults.js';
import { accountsOf, type KnownAccount } from './accounts.js';
import type { LoginThrottle } from './login-throttle.js';
import { networkOf } from './network-prefix.js';
import { verifyPassword } from './password-hash.js';
import { createRememberedLogins } from './login-cache.js';

export interface LoginsOptions {
  readonly guard: LoginThrottle;
  /** One that nobody can set. */
  readonly clock: Clock;
  /** Of this installation alone, and the same on all its nodes; absent: of this process. */
  readonly key?: Buffer | undefined;
  /** Makes the marks of accounts, as the verifier's: absent, of this process. */
  readonly markKey?: Buffer | undefined;
}

/** Who tried, as it may be told: a name that exists, or what stands for one that does not. */
interface LoginSuspect {
  readonly shown: string;
  readonly entry: KnownAccount | undefined;
}

// For the life of the process, so that a reload is no way to guess on.
const OWN_KEY = randomBytes(32);

/** Opens the accounts of `auth.local`; none are known while the built-in issuer is off. Pointers count from there. */
export function openLogins(
  settings: LocalIssuerSettings,
  { guard, clock, key = OWN_KEY, markKey = OWN_KEY }: LoginsOptions,
): { readonly value: Logins } | { readonly faults: readonly LocatedFault[] } {
  const faults = accountFaults(settings);
  if (faults.length > 0) return { faults };
  const entries = accountsOf(settings, markKey);
  const remembered = createRememberedLogins({ clock });
  const limits = settings.attempts;
  // Keyed: people type their passwords where the name belongs, and nobody may try words on it.
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
    const judged = entry ?? decoyFor(digest(attempt.name), [...entries.values()]);
    const matches = () =>
      judged ? verifyPassword(attempt.password, judged.hash.reveal()) : Promise.resolve(false);
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
        // Nobody has said a name: those of one network count as one.
        const guesser = { name: `somebody at ${networkOf(address)}`, isKnown: false, address };
        return guard.watch({ guesser, settings: limits }, look);
      },
    },
  };
}

/** The hash that costs the time of an unknown name: always the same for a name, so that times tell nothing about it. */
function decoyFor(digest: Buffer, entries: readonly KnownAccount[]): KnownAccount | undefined {
  return entries.length === 0 ? undefined : entries[digest.readUInt32BE() % entries.length];
}

/** A 401 needs a challenge (RFC 9110 section 15.5.2); that of Basic would make browsers ask, and remember. */
function refused(): Problem {
  const headers = { 'www-authenticate': 'Bearer' };
  return new Problem('invalid_credentials', 'Invalid credentials', { headers });
}

/** The same failure, with what the audit record and the log say of it. */
function told(error: unknown, { shown }: LoginSuspect, { address }: LoginAttempt): unknown {
  if (!(error instanceof Problem)) return error;
  const outcome = `${error.code}, ${shown}, from ${address}`;
  return new Problem(error.code, error.message, { ...error.extras, outcome });
}
