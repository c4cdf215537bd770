/** First and longest pause before a retry, in milliseconds. */
const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;

/** Pauses between attempts: each is twice as long as the previous one, from 5 seconds to a minute. */
export interface Backoff {
  /** Returns the current pause; the pause grows with each call. */
  next(): number;
  /** Starts again with the first pause, after a success. */
  reset(): void;
}

/** Creates a backoff. */
export function createBackoff(): Backoff {
  let pause = FIRST_MS;
  return {
    next() {
      const due = pause;
      pause = Math.min(pause * 2, LONGEST_MS);
      return due;
    },
    reset() {
      pause = FIRST_MS;
    },
  };
}
