import type { CancelSignal } from '../core/cancel-signal.js';
import { rejectOnAbort } from '../core/lib/reject-on-abort.js';
import { Problem } from '../core/problem.js';

/** What bounds a plugin's work. */
export interface WorkLimits {
  readonly ms: number;
  /** What the Problem says when that is over. */
  readonly late: string;
  /** Ends the work as well. */
  readonly over?: CancelSignal | undefined;
  /** Makes the Problem then. */
  readonly left: () => Problem;
}

/** Waits for a plugin's work within bounds, whatever it does: one that ignores its own signal must not hold others. */
export async function runWithin<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, late, over, left }: WorkLimits,
): Promise<T> {
  if (over?.aborted) throw left();
  const stopper = new AbortController();
  const leave = (): void => {
    stopper.abort(left());
  };
  const timer = setTimeout(() => {
    stopper.abort(new Problem('upstream_timeout', late));
  }, ms);
  over?.addEventListener('abort', leave, { once: true });
  // What throws at once is a rejection as well.
  const begin = async (): Promise<T> => work(stopper.signal);
  try {
    return await Promise.race([rejectOnAbort(stopper.signal), begin()]);
  } finally {
    clearTimeout(timer);
    over?.removeEventListener('abort', leave);
  }
}

/** Waits for so many milliseconds at most, and no longer than until the signal fires. */
export function runWithTimeout<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  over?: AbortSignal,
): Promise<T> {
  const left = (): Problem => new Problem('adapter_unavailable', 'it was stopped');
  return runWithin(work, { ms, late: `it took longer than ${ms / 1000} s`, over, left });
}
