import type { Clock } from '../core/lib/clock.js';
import type { AttemptStore } from '../core/login-attempts.js';
import { Problem } from '../core/problem.js';
import type { AttemptSettings } from '../core/settings.js';
import { SignInFailure } from '../core/sign-in.js';
import { createAttempts, type LoginSource } from './login-attempts.js';
import { createSemaphore } from '../core/lib/semaphore.js';

/** A hash takes 128 MiB and a third of a second of one thread: two at once leave the process able to do other things. */
const TURNS = { atOnce: 2, waiting: 8 };

/** Stands between those who guess and the passwords. One for the life of the process. */
export interface LoginThrottle {
  /** Throws `too_many_requests` while the name or the address is locked, which a right password does not change. */
  check(guesser: LoginSource, settings: AttemptSettings): void;
  /**
   * Looks at one password when its turn comes, and counts it unless it is right. Throws `too_many_requests` as above, and
   * `login_busy` when too many wait.
   */
  judge(guess: LoginAttempt, isRight: () => Promise<boolean>): Promise<boolean>;
  /** Looks at something that costs no hash, at once, and counts it when that throws a wrong guess. Throws `too_many_requests`. */
  watch<T>(guess: LoginAttempt, look: () => Promise<T>): Promise<T>;
}

export interface LoginAttempt {
  readonly guesser: LoginSource;
  readonly settings: AttemptSettings;
}

/** Makes a guard. The clock is one that nobody can set; `shared` holds the counts of all nodes. */
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
    // Others may have guessed wrong while this one waited.
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

/** What else fails says nothing of the one who tried. */
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
