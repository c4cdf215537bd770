import type { CallerSignal } from '../domain/caller-signal.js';
import { firing } from '../domain/firing.js';
import { Problem } from '../domain/problem.js';

/** What bounds a plugin's work. */
export interface Bounds {
  readonly ms: number;
  /** What the Problem says when that is over. */
  readonly late: string;
  /** Ends the work as well. */
  readonly over?: CallerSignal | undefined;
  /** Makes the Problem then. */
  readonly left: () => Problem;
}

/** Waits for a plugin's work within bounds, whatever it does: one that ignores its own signal must not hold others. */
export async function bounded<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, late, over, left }: Bounds,
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
    return await Promise.race([firing(stopper.signal), begin()]);
  } finally {
    clearTimeout(timer);
    over?.removeEventListener('abort', leave);
  }
}

/** Waits for so many milliseconds at most, and no longer than until the signal fires. */
export function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  over?: AbortSignal,
): Promise<T> {
  const left = (): Problem => new Problem('adapter_unavailable', 'it was stopped');
  return bounded(work, { ms, late: `it took longer than ${ms / 1000} s`, over, left });
}
