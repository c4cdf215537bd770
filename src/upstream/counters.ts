/** Counts what happened to an adapter's calls since it was opened. */
export interface Counters {
  readonly retry: () => void;
  readonly login: (succeeded: boolean) => void;
  counts(): { readonly retries: number; readonly logins: number; readonly failedLogins: number };
}

/** Makes a tally of nothing. */
export function createCounters(): Counters {
  let retries = 0;
  let logins = 0;
  let failedLogins = 0;
  return {
    retry() {
      retries += 1;
    },
    login(succeeded) {
      if (succeeded) logins += 1;
      else failedLogins += 1;
    },
    counts: () => ({ retries, logins, failedLogins }),
  };
}
