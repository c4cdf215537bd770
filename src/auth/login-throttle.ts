import type { AttemptStore } from '../core/login.js';
import type { CallerIdentity } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import { SignInFailure } from '../core/sign-in.js';
import type { Clock } from '../lib/clock.js';
import { FairSemaphore } from '../lib/fair-queue.js';
import { networkOf } from '../lib/network-of.js';
import type { AttemptSettings } from '../settings/settings.js';
import { createAttempts, type LoginSource, type TokenAttemptSource } from './login-attempts.js';
import { RejectedToken } from './rejected-token.js';

/**
 * Limits of password checks. A check takes 128 MiB of memory and one thread for a third of a second. Two
 * concurrent checks leave the process able to do other work. Waiting checks take turns by account, and by network for unknown
 * names, so that nobody who guesses delays the others for long.
 */
const HASH_SLOTS = 2;
const WAITING_CHECKS = { maxItems: 64, maxItemsPerOwner: 8 };

/** Protection of credentials against guessing. The process has one instance, which outlives reloads. */
export interface LoginThrottle {
  /** Throws `too_many_requests` while the name or the address is locked out, even for a correct password. */
  check(source: LoginSource, settings: AttemptSettings): void;
  /**
   * Throws `too_many_requests` for a name and password that were accepted from this address before, after very many
   * wrong passwords for the name from this address.
   */
  checkRemembered(source: LoginSource, settings: AttemptSettings): void;
  /**
   * Checks a password when a slot is free, and counts a wrong password. Throws `too_many_requests` like
   * `check`, and `login_busy` if the queue is full.
   */
  checkPassword(attempt: LoginAttempt, matches: () => Promise<boolean>): Promise<boolean>;
  /**
   * Runs a check of a token or a code, which needs no slot, and counts a wrong one: by the caller if the error names
   * one, and by the address otherwise. Throws the error of the check; instead of it `too_many_requests` after too many
   * of them. Nobody guesses a token, so that a right one is accepted even then.
   */
  checkToken<T>(attempt: TokenAttempt, verify: () => Promise<T>): Promise<T>;
}

/** A login attempt and the limits that apply to it. */
interface LoginAttempt {
  readonly source: LoginSource;
  readonly settings: AttemptSettings;
}

interface TokenAttempt {
  readonly source: TokenAttemptSource;
  readonly settings: AttemptSettings;
}

/**
 * Creates a throttle. `clock` must be monotonic, so that a change of the system time does not end a lockout.
 * `shared` stores the counts of all nodes.
 */
export function createLoginThrottle(clock: Clock, shared?: AttemptStore): LoginThrottle {
  const attempts = createAttempts({ clock, shared });
  const hashSlots = new FairSemaphore(HASH_SLOTS, WAITING_CHECKS);

  function check(source: LoginSource | TokenAttemptSource, settings: AttemptSettings): void {
    const waitMs = attempts.waitMs(source, settings);
    if (waitMs <= 0) return;
    attempts.countRefused(source, settings);
    throw lockedOut(waitMs);
  }

  async function count({ source, settings }: LoginAttempt | TokenAttempt): Promise<() => void> {
    check(source, settings);
    const takeBack = await attempts.count(source, settings);
    if (takeBack) return takeBack;
    throw lockedOut(attempts.waitMs(source, settings));
  }

  async function checkPasswordNow(attempt: LoginAttempt, matches: () => Promise<boolean>): Promise<boolean> {
    // Other attempts may have failed while this attempt waited.
    const takeBack = await count(attempt);
    const isMatch = await matches();
    if (isMatch) takeBack();
    return isMatch;
  }

  async function checkToken<T>(attempt: TokenAttempt, verify: () => Promise<T>): Promise<T> {
    try {
      return await verify();
    } catch (error) {
      const { source, settings } = attempt;
      if (isWrongCredential(error)) await count({ source: { ...source, caller: callerOf(error) }, settings });
      throw error;
    }
  }

  return {
    check,
    checkRemembered(source, settings) {
      const waitMs = attempts.waitRememberedMs(source, settings);
      if (waitMs > 0) throw lockedOut(waitMs);
    },
    checkToken,
    checkPassword(attempt, matches) {
      const { name, isKnown, address } = attempt.source;
      const owner = isKnown ? name : networkOf(address);
      return hashSlots.run(owner, () => checkPasswordNow(attempt, matches)) ?? Promise.reject(queueFull());
    },
  };
}

/** Returns true for an error that means a wrong credential. Other failures are not the client's fault. */
function isWrongCredential(error: unknown): boolean {
  if (error instanceof SignInFailure) return error.problem === 'not_accepted';
  return error instanceof Problem && error.code === 'unauthorized';
}

/** Returns the caller whom an error names; undefined if the issuer has not confirmed who it is. */
function callerOf(error: unknown): CallerIdentity | undefined {
  if (error instanceof SignInFailure) return error.caller;
  const cause = error instanceof Problem ? error.cause : undefined;
  return cause instanceof RejectedToken ? cause.caller : undefined;
}

function lockedOut(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000);
  return new Problem('too_many_requests', `Too many wrong passwords or tokens; try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function queueFull(): Problem {
  return new Problem('login_busy', 'Too many passwords are being checked; this password was not checked.', {
    headers: { 'retry-after': '2' },
  });
}
