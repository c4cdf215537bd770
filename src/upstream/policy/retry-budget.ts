/**
 * Limits retries to a small share of the calls, so that a struggling orchestrator does not receive more work.
 */
export interface RetryBudget {
  /** Counts a call. */
  deposit(): void;
  /** Takes a retry from the budget; returns false if the budget is exhausted. */
  withdraw(): boolean;
}

/** Maximum number of saved retries, so that an adapter with few calls can retry as well. */
export const RETRY_RESERVE = 10;

/**
 * Creates a full budget: in any sequence of `n` calls there are at most `n * percent / 100 + RETRY_RESERVE`
 * retries, and no retries for 0 percent.
 */
export function createRetryBudget(percent: number): RetryBudget {
  // In hundredths of a retry, so that sums are exact.
  const most = percent === 0 ? 0 : RETRY_RESERVE * 100;
  let balance = most;
  return {
    deposit() {
      balance = Math.min(most, balance + percent);
    },
    withdraw() {
      if (balance < 100) return false;
      balance -= 100;
      return true;
    },
  };
}
