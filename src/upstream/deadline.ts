import type { CancelSignal } from '../core/cancel-signal.js';
import { type Scheduler, systemScheduler } from '../core/lib/clock.js';
import { Problem } from '../core/problem.js';

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
  /** The Problem that the call ends with, once it is over. */
  readonly reason: Problem | undefined;
  /** The same for those who know signals alone; made when it is asked for, since it costs more than all else here. */
  readonly signal: AbortSignal;
  /** When the call is over at last, in milliseconds since 1970. */
  readonly endsAt: number;
  phase: Phase;
  /** Ends the call now. */
  stop(problem: Problem): void;
  /** Has the listener called when the call is over, at once when it is. The result takes that back. */
  onEnd(listener: AbortListener): () => void;
  /** Throws the reason when the call is over. */
  check(): void;
  /** A timer by the same clock. */
  readonly after: Scheduler['after'];
}

export type AbortListener = (reason: Problem) => void;

/** How long a call may take, and whose leaving ends it. */
export interface DeadlineTerms {
  readonly totalMs: number;
  readonly caller?: CancelSignal | undefined;
  /** Absent: the clock of the system. */
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Runs work that is over after `totalMs` (`upstream_timeout`; `upstream_busy` when it never had its turn) and when the
 * caller's signal fires (`caller_gone`), even when the work itself hangs. The work must let go of what it holds when the
 * deadline ends.
 */
export function withDeadline<T>(
  { totalMs, caller, scheduler = systemScheduler }: DeadlineTerms,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  if (caller?.aborted) return Promise.reject(clientClosedRequest());
  const deadline = new CallDeadline(scheduler, totalMs);
  const leave = () => {
    deadline.stop(clientClosedRequest());
  };
  const cancel = scheduler.after(totalMs, () => {
    deadline.stop(expired(totalMs, deadline.phase));
  });
  caller?.addEventListener('abort', leave, { once: true });
  // What throws at once is a rejection as well.
  const begin = async (): Promise<T> => work(deadline);
  return beforeDeadline(begin(), deadline, () => {
    cancel();
    caller?.removeEventListener('abort', leave);
  });
}

/** The deadline of one call; whoever makes it has it stopped when the time is over. */
export class CallDeadline implements Deadline {
  readonly endsAt: number;
  readonly after: Scheduler['after'];
  phase: Phase = 'connecting';
  readonly #listeners = new Set<AbortListener>();
  #reason: Problem | undefined;
  #stopper: AbortController | undefined;

  constructor(scheduler: Scheduler, totalMs: number) {
    this.endsAt = scheduler.now() + totalMs;
    this.after = (ms, work) => scheduler.after(ms, work);
  }

  get reason(): Problem | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#stopper) {
      const stopper = (this.#stopper = new AbortController());
      this.onEnd((reason) => {
        stopper.abort(reason);
      });
    }
    return this.#stopper.signal;
  }

  stop(problem: Problem): void {
    if (this.#reason) return;
    this.#reason = problem;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(problem);
  }

  onEnd(listener: AbortListener): () => void {
    if (this.#reason) listener(this.#reason);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  check(): void {
    if (this.#reason) throw this.#reason;
  }
}

/**
 * Gives what a piece of work gives that others wait for as well; throws the reason when the call is over before. `ended` is
 * called once somebody knows, and once more when the work ends after that.
 */
export function beforeDeadline<T>(
  work: Promise<T>,
  deadline: Pick<Deadline, 'onEnd'>,
  ended: () => void = () => undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const release = deadline.onEnd((reason) => {
      ended();
      reject(reason);
    });
    const settle =
      <V>(outcome: (value: V) => void) =>
      (value: V) => {
        release();
        ended();
        outcome(value);
      };
    work.then(settle(resolve), settle(reject));
  });
}

/** Resolves after so many milliseconds; throws the reason when the call is over before. */
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

function clientClosedRequest(): Problem {
  return new Problem('caller_gone', 'the caller left before the reply was complete');
}
