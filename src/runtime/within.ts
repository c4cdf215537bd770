import { Problem } from '../domain/problem.js';

/**
 * Waits for a plugin's work, for so many milliseconds at most, and no longer than until the signal fires: one that ignores
 * its own signal must not hold others.
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  over?: AbortSignal,
): Promise<T> {
  const stopped = new Problem('adapter_unavailable', 'it was stopped');
  if (over?.aborted) throw stopped;
  const stopper = new AbortController();
  const stop = (problem: Problem): void => {
    stopper.abort(problem);
  };
  const leave = (): void => {
    stop(stopped);
  };
  const timer = setTimeout(() => {
    stop(new Problem('upstream_timeout', `it took longer than ${ms / 1000} s`));
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

function firing(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Problem);
    });
  });
}
