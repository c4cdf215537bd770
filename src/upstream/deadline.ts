import { Problem } from '../domain/problem.js';

/** How far a call has come; it decides what a failure is called. */
export type Phase = 'connecting' | 'waiting for the reply' | 'reading the reply';

/** What may end a call before its reply is complete. */
export interface Deadline {
  /** Fires once; its reason is the Problem that the call ends with. */
  readonly signal: AbortSignal;
  phase: Phase;
  /** Ends the call now. */
  stop(problem: Problem): void;
}

/** How long a call may take, and whose leaving ends it. */
export interface DeadlineTerms {
  readonly totalMs: number;
  readonly caller?: AbortSignal | undefined;
}

/**
 * Runs work that is over after `totalMs` (`upstream_timeout`) and when the caller's signal fires (`caller_gone`),
 * even when the work itself hangs. The work must let go of what it holds when the deadline's signal fires.
 */
export async function withDeadline<T>(
  { totalMs, caller }: DeadlineTerms,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  if (caller?.aborted) throw callerGone();
  const stopper = new AbortController();
  const deadline: Deadline = {
    signal: stopper.signal,
    phase: 'connecting',
    stop: (problem) => {
      stopper.abort(problem);
    },
  };
  const leave = () => {
    deadline.stop(callerGone());
  };
  const expire = () => {
    deadline.stop(
      new Problem('upstream_timeout', `no complete reply within ${totalMs} ms: still ${deadline.phase}`),
    );
  };
  const timer = setTimeout(expire, totalMs);
  caller?.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([firing(stopper.signal), work(deadline)]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', leave);
  }
}

function callerGone(): Problem {
  return new Problem('caller_gone', 'the caller left before the reply was complete');
}

function firing(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Problem);
      },
      { once: true },
    );
  });
}
