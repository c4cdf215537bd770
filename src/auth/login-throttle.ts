import type { Clock } from '../core/lib/clock.js';
import type { AttemptStore } from '../core/login-attempts.js';
import { Problem } from '../core/problem.js';
import type { AttemptSettings } from '../core/settings.js';
import { SignInFailure } from '../core/sign-in.js';
import { createAttempts, type LoginSource } from './login-attempts.js';
import { createSemaphore } from '../core/lib/semaphore.js';

/**
 * A hash takes 128 MiB and a third of a second of one thread. Two at once leave the process able to do other
 * work.
 */
const TURNS = { atOnce: 2, waiting: 8 };

/** Protection of passwords against guessing. One instance lives as long as the process. */
export interface LoginThrottle {
  /** Throws `too_many_requests` while the name or the address is locked, even for a correct password. */
  check(guesser: LoginSource, settings: AttemptSettings): void;
  /**
   * Checks one password when its turn comes, and counts it unless it is correct. Throws `too_many_requests`
   * as above, and `login_busy` if too many checks wait.
   */
  judge(guess: LoginAttempt, isRight: () => Promise<boolean>): Promise<boolean>;
  /**
   * Runs a check that needs no hash at once, and counts it if it throws for a wrong guess. Throws
   * `too_many_requests`.
   */
  watch<T>(guess: LoginAttempt, look: () => Promise<T>): Promise<T>;
}

export interface LoginAttempt {
  readonly guesser: LoginSource;
  readonly settings: AttemptSettings;
}

/**
 * Creates a throttle. `clock` must be monotonic, so that changing the system time does not end a lock;
 * `shared` holds the counts of all nodes.
 */
export function createLoginThrottle(clock: Clock, shared?: AttemptStore): LoginThrottle {
  const attempts = createAttempts({ clock, shared });
  const turns = createSemaphore(TURNS);

  function check(guesser: LoginSource, settings: AttemptSettings): void {
    const waitMs = attempts.waitMs(guesser, settings);
    if (waitMs > 0) throw locked(waitMs);
  }

  async function count({ guesser, settings }: LoginAttempt): Promise<() => void> {
    check(guesser, settings);
    const takeBack = await attempts.count(guesser, settings);
    if (takeBack) return takeBack;
    throw locked(attempts.waitMs(guesser, settings));
  }

  async function judgeNow(guess: LoginAttempt, isRight: () => Promise<boolean>): Promise<boolean> {
    // Other attempts may have failed while this one waited.
    const takeBack = await count(guess);
    const right = await isRight();
    if (right) takeBack();
    return right;
  }

  async function watch<T>(guess: LoginAttempt, look: () => Promise<T>): Promise<T> {
    const takeBack = await count(guess);
    try {
      const seen = await look();
      takeBack();
      return seen;
    } catch (error) {
      if (!isWrongGuess(error)) takeBack();
      throw error;
    }
  }

  return {
    check,
    watch,
    judge(guess, isRight) {
      const judging = turns.run(() => judgeNow(guess, isRight));
      return judging ?? Promise.reject(busy());
    },
  };
}

/** Returns true for a wrong guess. Other failures say nothing about the client. */
function isWrongGuess(error: unknown): boolean {
  if (error instanceof SignInFailure) return error.problem === 'not_accepted';
  return error instanceof Problem && error.code === 'unauthorized';
}

function locked(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000);
  return new Problem('too_many_requests', `Too many wrong passwords or tokens; try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function busy(): Problem {
  return new Problem('login_busy', 'Too many passwords are being checked; nothing was looked at.', {
    headers: { 'retry-after': '2' },
  });
}
