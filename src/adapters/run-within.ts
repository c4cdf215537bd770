import { Problem } from '../core/problem.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { systemScheduler, type Scheduler } from '../lib/clock.js';
import { untilAborted } from '../lib/timeout.js';

export interface WorkLimits {
  readonly ms: number;
  /** Message of the Problem after the time limit. */
  readonly timeoutMessage: string;
  /** Signal that ends the work early. */
  readonly signal?: CancelSignal | undefined;
  /** Creates the Problem for an early end. */
  readonly abortProblem: () => Problem;
  /** Pauses of the work, which do not count: calls the listener when one begins and when it ends; returns its removal. */
  readonly onPause?: ((listener: (isPaused: boolean) => void) => () => void) | undefined;
  /** Absent: the timers of the system. */
  readonly scheduler?: Scheduler;
}

/** Interval of a timer that only keeps the process alive, in milliseconds. */
const KEEP_ALIVE_MS = 2 ** 30;

/** Waits for a plugin's work within limits. Work that ignores its own signal must not block others. */
export async function runWithin<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, timeoutMessage, signal, abortProblem, onPause, scheduler = systemScheduler }: WorkLimits,
): Promise<T> {
  if (signal?.aborted) throw abortProblem();
  const stopper = new AbortController();
  const abort = (): void => {
    stopper.abort(abortProblem());
  };
  const startTimer = (): (() => void) =>
    scheduler.after(ms, () => {
      stopper.abort(new Problem('upstream_timeout', timeoutMessage));
    });
  let cancelTimer = startTimer();
  const removeListener = onPause?.((isPaused) => {
    cancelTimer();
    if (!isPaused) cancelTimer = startTimer();
  });
  // The timers of a scheduler do not keep the process alive, but the wait must.
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
  signal?.addEventListener('abort', abort, { once: true });
  // A synchronous throw becomes a rejection.
  const begin = async (): Promise<T> => work(stopper.signal);
  try {
    return await untilAborted(begin(), stopper.signal);
  } finally {
    cancelTimer();
    removeListener?.();
    clearInterval(keepAlive);
    signal?.removeEventListener('abort', abort);
  }
}

/** Waits for a plugin's work until the time limit, in milliseconds, or until the signal fires. */
export function runWithTimeout<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const abortProblem = (): Problem => new Problem('adapter_unavailable', 'it was stopped');
  return runWithin(work, { ms, timeoutMessage: `it took longer than ${ms / 1000} s`, signal, abortProblem });
}
