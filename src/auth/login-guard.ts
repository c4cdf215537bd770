import type { Clock } from '../domain/clock.js';
import { Problem } from '../domain/problem.js';
import type { AttemptSettings } from '../domain/settings.js';
import { createAttempts, type Guesser } from './attempts.js';
import { createTurns } from './turns.js';

/** A hash takes 128 MiB and a third of a second of one thread: two at once leave the process able to do other things. */
const TURNS = { atOnce: 2, waiting: 8 };

/** Stands between those who guess and the passwords. One for the life of the process. */
export interface LoginGuard {
  /** Throws `too_many_requests` while the name or the address is locked, which a right password does not change. */
  check(guesser: Guesser, settings: AttemptSettings): void;
  /**
   * Looks at one password when its turn comes, and counts it unless it is right. Throws `too_many_requests` as above, and
   * `login_busy` when too many wait.
   */
  judge(guess: Guess, isRight: () => Promise<boolean>): Promise<boolean>;
}

export interface Guess {
  readonly guesser: Guesser;
  readonly settings: AttemptSettings;
}

/** Makes a guard. The clock is one that nobody can set. */
export function createLoginGuard(clock: Clock): LoginGuard {
  const attempts = createAttempts(clock);
  const turns = createTurns(TURNS);

  function check(guesser: Guesser, settings: AttemptSettings): void {
    const waitMs = attempts.waitMs(guesser, settings);
    if (waitMs > 0) throw locked(waitMs);
  }

  async function judgeNow({ guesser, settings }: Guess, isRight: () => Promise<boolean>): Promise<boolean> {
    // Others may have guessed wrong while this one waited.
    check(guesser, settings);
    const takeBack = attempts.count(guesser, settings);
    const right = await isRight();
    if (right) takeBack();
    return right;
  }

  return {
    check,
    judge(guess, isRight) {
      const judging = turns.run(() => judgeNow(guess, isRight));
      return judging ?? Promise.reject(busy());
    },
  };
}

function locked(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000);
  return new Problem('too_many_requests', `Too many wrong passwords; try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function busy(): Problem {
  return new Problem('login_busy', 'Too many passwords are being checked; nothing was looked at.', {
    headers: { 'retry-after': '2' },
  });
}
