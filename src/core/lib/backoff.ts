/** First and longest pause before the next try of what did not succeed, in milliseconds. */
const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;

/** Pauses between tries: each twice as long as the one before it, from 5 seconds to a minute. */
export interface Backoff {
  /** The pause that is due now; it grows with each call. */
  next(): number;
  /** Begins anew, after a success. */
  reset(): void;
}

/** Makes a backoff that begins with the first pause. */
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
