import type { CancelSignal } from '../core/cancel-signal.js';
import { rejectOnAbort } from '../core/lib/reject-on-abort.js';
import { Problem } from '../core/problem.js';

/** Limits of a plugin's work. */
export interface WorkLimits {
  readonly ms: number;
  /** Message of the Problem after the time limit. */
  readonly late: string;
  /** Signal that ends the work early. */
  readonly over?: CancelSignal | undefined;
  /** Creates the Problem for an early end. */
  readonly left: () => Problem;
}

/** Waits for a plugin's work within limits. Work that ignores its own signal must not block others. */
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
  // A synchronous throw becomes a rejection.
  const begin = async (): Promise<T> => work(stopper.signal);
  try {
    return await Promise.race([rejectOnAbort(stopper.signal), begin()]);
  } finally {
    clearTimeout(timer);
    over?.removeEventListener('abort', leave);
  }
}

/** Waits for a plugin's work until the time limit, in milliseconds, or until the signal fires. */
export function runWithTimeout<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  over?: AbortSignal,
): Promise<T> {
  const left = (): Problem => new Problem('adapter_unavailable', 'it was stopped');
  return runWithin(work, { ms, late: `it took longer than ${ms / 1000} s`, over, left });
}
