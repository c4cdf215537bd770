import { elapsedSince, type Scheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';

/**
 * Time in milliseconds for which a probe result is reused, because public clients request it without limit.
 */
const PROBE_INTERVAL_MS = 1_000;

/**
 * Timeout of a probe in milliseconds, after which the service counts as failed. Load balancers usually wait
 * no longer.
 */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Returns a function that reports whether a service answers. It probes the service at most once a second and
 * never while another probe is pending. A probe that takes too long counts as failed and blocks no caller.
 */
export function cachedProbe(scheduler: Scheduler, probe: () => Promise<unknown>): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let isPending = false;

  function startProbe(): Promise<boolean> {
    isPending = true;
    const answer = succeeds(probe()).finally(() => {
      isPending = false;
    });
    return withTimeout(answer, { ms: PROBE_TIMEOUT_MS, scheduler, late: () => false });
  }

  return () => {
    if (!last || (!isPending && elapsedSince(scheduler, last.at) >= PROBE_INTERVAL_MS))
      last = { at: scheduler.now(), answer: startProbe() };
    return last.answer;
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
