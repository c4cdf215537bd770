import type { Scheduler } from '../../core/lib/clock.js';
import { withTimeout } from '../../core/lib/timeout.js';
import type { AttemptStore } from '../../core/login-attempts.js';

/** How long a login waits for the counts of the other nodes, in milliseconds. */
const SEARCH_TIMEOUT_MS = 1_000;

/** Adds a timeout to the counts of an attempt store, so that a database that hangs blocks no login. */
export function patientAttempts(store: AttemptStore, scheduler: Scheduler): AttemptStore {
  return {
    count: (places, now) =>
      withTimeout(store.count(places, now), {
        ms: SEARCH_TIMEOUT_MS,
        scheduler,
        late: () => Promise.reject(new Error('the counts of the other nodes took too long')),
      }),
    takeBack: (places) => store.takeBack(places),
  };
}
