import { Problem } from '../core/problem.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { monotonicScheduler, type Scheduler } from '../lib/clock.js';

/** Progress of a call; determines the name of a failure and which requests may be sent again. */
export type Phase =
  | 'waiting for a slot'
  | 'logging in'
  | 'connecting'
  | 'waiting for the reply'
  | 'reading the reply'
  | 'waiting to retry';

/** Cancellation of a call before its reply is complete. */
export interface Deadline {
  /** The Problem that ended the call; undefined while the call is running. */
  readonly reason: Problem | undefined;
  /** The same as an `AbortSignal`; created on first access, because it is the most expensive part. */
  readonly signal: AbortSignal;
  /** Latest end of the call, in milliseconds since 1970. */
  readonly endsAt: number;
  phase: Phase;
  /** Ends the call now. */
  stop(problem: Problem): void;
  /**
   * Calls the listener when the call is over, immediately if it is already over. The returned function
   * removes the listener.
   */
  onEnd(listener: AbortListener): () => void;
  /** Throws the reason when the call is over. */
  check(): void;
  /** Starts a timer on the same clock. */
  after(ms: number, work: () => void): () => void;
}

export type AbortListener = (reason: Problem) => void;

/** Time limit of a call, and the signal of its caller. */
export interface DeadlineTerms {
  readonly totalMs: number;
  /** Key of the configuration that sets the time limit, for the message of the Problem. */
  readonly setting?: string;
  readonly caller?: CancelSignal | undefined;
  /** Absent: a clock that cannot be set back. */
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Runs work that ends after `totalMs` (`upstream_timeout`, or `upstream_busy` while it waits for a slot) or
 * when the caller's signal fires (`caller_gone`), even if the work itself hangs. The work must release its
 * resources when the deadline ends.
 */
export async function withDeadline<T>(
  terms: DeadlineTerms,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { totalMs, setting, caller, scheduler = monotonicScheduler } = terms;
  if (caller?.aborted) throw clientClosedRequest();
  const deadline = new CallDeadline(scheduler, totalMs);
  const cancelTimer = scheduler.after(totalMs, () => {
    deadline.stop(deadlineProblem(limitText(totalMs, setting), deadline.phase));
  });
  const onCallerAbort = () => {
    deadline.stop(clientClosedRequest());
  };
  caller?.addEventListener('abort', onCallerAbort, ONCE);
  try {
    return await beforeDeadline(work(deadline), deadline);
  } finally {
    cancelTimer();
    caller?.removeEventListener('abort', onCallerAbort);
  }
}

/** Deadline of one call. The creator must call `stop` when the time limit has passed. */
export class CallDeadline implements Deadline {
  readonly endsAt: number;
  readonly #scheduler: Scheduler;
  phase: Phase = 'connecting';
  /** Absent before the first; most calls have one listener, and an array costs less than a Set. */
  #listeners: AbortListener[] | undefined;
  #reason: Problem | undefined;
  #stopper: AbortController | undefined;

  constructor(scheduler: Scheduler, totalMs: number) {
    this.endsAt = scheduler.now() + totalMs;
    this.#scheduler = scheduler;
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
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener(problem);
  }

  onEnd(listener: AbortListener): () => void {
    if (this.#reason) listener(this.#reason);
    else if (this.#listeners) this.#listeners.push(listener);
    else this.#listeners = [listener];
    return () => {
      this.#listeners = this.#listeners?.filter((other) => other !== listener);
    };
  }

  check(): void {
    if (this.#reason) throw this.#reason;
  }

  after(ms: number, work: () => void): () => void {
    return this.#scheduler.after(ms, work);
  }
}

const ONCE = { once: true };

/** Resolves with the result of work that other calls may share. Throws the reason if the call ends first. */
export function beforeDeadline<T>(work: Promise<T>, deadline: Pick<Deadline, 'onEnd'>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const release = deadline.onEnd(reject);
    const onError = (error: Error): void => {
      release();
      reject(error);
    };
    work.then((value) => {
      release();
      resolve(value);
    }, onError);
  });
}

/** Resolves after `ms` milliseconds; throws the reason when the call ends first. */
export function pause(ms: number, deadline: Deadline): Promise<void> {
  let cancel: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    cancel = deadline.after(ms, resolve);
  });
  return beforeDeadline(passed, deadline).finally(cancel);
}

/** Returns a time limit with the key that sets it, for a message. */
export function limitText(ms: number, setting?: string): string {
  return setting === undefined ? `${ms} ms` : `${ms} ms (${setting})`;
}

function deadlineProblem(limit: string, phase: Phase): Problem {
  const code = phase === 'waiting for a slot' ? 'upstream_busy' : 'upstream_timeout';
  return new Problem(code, `no complete reply within ${limit}: still ${phase}`);
}

function clientClosedRequest(): Problem {
  return new Problem('caller_gone', 'the caller left before the reply was complete');
}
