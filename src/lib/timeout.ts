import type { CancelSignal } from './cancel-signal.js';
import type { Scheduler } from './clock.js';

/** Time limit of work, and the result that replaces a late one. */
interface TimeoutOptions<T> {
  readonly ms: number;
  readonly scheduler: Scheduler;
  /** Returns the replacement. A promise that rejects turns lateness into a failure. */
  readonly late: () => T | Promise<T>;
}

/**
 * Returns the result of the work, or of `late` if the work takes longer than `ms` milliseconds. Late work
 * continues in the background.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  { ms, scheduler, late }: TimeoutOptions<T>,
): Promise<T> {
  let cancel = (): void => undefined;
  const over = new Promise<T>((resolve) => {
    cancel = scheduler.after(ms, () => {
      resolve(late());
    });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    cancel();
  }
}

/**
 * Returns the result of the work, or rejects with the signal's reason, a Problem, as soon as the signal fires. Late work
 * continues in the background. Keeps no listener on the signal, which may live as long as the server.
 */
export async function untilAborted<T>(work: Promise<T>, signal: CancelSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      reject(signal.reason);
    };
  });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
