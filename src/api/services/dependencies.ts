import { elapsedSince, type Scheduler } from '../../core/lib/clock.js';
import { withTimeout } from '../../core/lib/timeout.js';

/** How long an answer about a service stands, in milliseconds: anyone may ask, as often as they like. */
const PROBE_MS = 1_000;

/** How long a service may take to answer before it counts as failed, in milliseconds: load balancers wait no longer. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Tells whether a service answers: asks it once a second at most, and not again before it has answered. One that takes too
 * long has failed, and holds nobody up.
 */
export function cachedFor(scheduler: Scheduler, probe: () => Promise<unknown>): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let isAsked = false;

  function ask(): Promise<boolean> {
    isAsked = true;
    const answer = succeeds(probe()).finally(() => {
      isAsked = false;
    });
    return withTimeout(answer, { ms: PROBE_TIMEOUT_MS, scheduler, late: () => false });
  }

  return () => {
    if (!last || (!isAsked && elapsedSince(scheduler, last.at) >= PROBE_MS))
      last = { at: scheduler.now(), answer: ask() };
    return last.answer;
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
