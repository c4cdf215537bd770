/** Keeps retries a small part of the calls, so that an orchestrator in need is not given more work. */
export interface RetryBudget {
  /** Counts a call. */
  deposit(): void;
  /** True, and one retry less in the budget, when there is one left. */
  withdraw(): boolean;
}

/** Retries that may be saved up, so that an adapter with few calls has some as well. */
export const RETRY_RESERVE = 10;

/**
 * Makes a full budget: in any run of `n` calls there are at most `n * percent / 100 + RETRY_RESERVE` retries, and none
 * for 0 percent.
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
