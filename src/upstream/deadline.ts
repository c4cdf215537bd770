import { type Scheduler, systemScheduler } from '../domain/clock.js';
import { Problem } from '../domain/problem.js';
import { firing } from '../domain/firing.js';

/** How far a call has come; it decides what a failure is called, and what may be sent again. */
export type Phase =
  | 'waiting for its turn'
  | 'logging in'
  | 'connecting'
  | 'waiting for the reply'
  | 'reading the reply'
  | 'waiting before another try';

/** What may end a call before its reply is complete. */
export interface Deadline {
  /** Fires once; its reason is the Problem that the call ends with. */
  readonly signal: AbortSignal;
  /** When it fires at last, in milliseconds since 1970. */
  readonly endsAt: number;
  phase: Phase;
  /** Ends the call now. */
  stop(problem: Problem): void;
  /** A timer by the same clock. */
  readonly after: Scheduler['after'];
}

/** How long a call may take, and whose leaving ends it. */
export interface DeadlineTerms {
  readonly totalMs: number;
  readonly caller?: AbortSignal | undefined;
  /** Absent: the clock of the system. */
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Runs work that is over after `totalMs` (`upstream_timeout`; `upstream_busy` when it never had its turn) and when the
 * caller's signal fires (`caller_gone`), even when the work itself hangs. The work must let go of what it holds when the
 * deadline's signal fires.
 */
export async function withDeadline<T>(
  { totalMs, caller, scheduler = systemScheduler }: DeadlineTerms,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  if (caller?.aborted) throw callerGone();
  const stopper = new AbortController();
  const deadline: Deadline = {
    signal: stopper.signal,
    endsAt: scheduler.now() + totalMs,
    phase: 'connecting',
    stop: (problem) => {
      stopper.abort(problem);
    },
    after: (ms, work) => scheduler.after(ms, work),
  };
  const leave = () => {
    deadline.stop(callerGone());
  };
  const expire = () => {
    deadline.stop(expired(totalMs, deadline.phase));
  };
  const cancel = scheduler.after(totalMs, expire);
  caller?.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([firing(stopper.signal), work(deadline)]);
  } finally {
    cancel();
    caller?.removeEventListener('abort', leave);
  }
}

/** Gives what a piece of work gives that others wait for as well; throws the signal's reason when it fires before. */
export function beforeDeadline<T>(work: Promise<T>, { signal }: Pick<Deadline, 'signal'>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      reject(signal.reason as Problem);
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}

/** Resolves after so many milliseconds; throws the signal's reason when it fires before. */
export function pause(ms: number, deadline: Deadline): Promise<void> {
  let cancel: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    cancel = deadline.after(ms, resolve);
  });
  return beforeDeadline(passed, deadline).finally(cancel);
}

function expired(totalMs: number, phase: Phase): Problem {
  const code = phase === 'waiting for its turn' ? 'upstream_busy' : 'upstream_timeout';
  return new Problem(code, `no complete reply within ${totalMs} ms: still ${phase}`);
}

function callerGone(): Problem {
  return new Problem('caller_gone', 'the caller left before the reply was complete');
}
