/** Limits of the delays between attempts, in milliseconds. */
interface BackoffLimits {
  /** Delay after the first failure. Each further failure doubles it. */
  readonly firstMs: number;
  /** Maximum delay. */
  readonly maxMs: number;
}

/** Returns the delay after a number of consecutive failures, from 1. */
export function backoffMs(failures: number, { firstMs, maxMs }: BackoffLimits): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}

/**
 * Returns a random delay after a number of consecutive failures, from 1: at least `firstMs`, and at most the
 * delay of {@link backoffMs} after one more failure. Clients that failed together then retry apart.
 */
export function jitteredBackoffMs(failures: number, limits: BackoffLimits, random: () => number): number {
  return limits.firstMs + random() * (backoffMs(failures + 1, limits) - limits.firstMs);
}

/** Exponential backoff of one repeated task. */
export interface Backoff {
  /** Records a failure, and returns the delay before the next attempt in milliseconds. */
  next(): number;
  /** Records a success: the next failure is the first one again. */
  reset(): void;
}

/** Creates a backoff without failures. */
export function createBackoff(limits: BackoffLimits): Backoff {
  let failures = 0;
  return {
    next() {
      failures += 1;
      return backoffMs(failures, limits);
    },
    reset() {
      failures = 0;
    },
  };
}
