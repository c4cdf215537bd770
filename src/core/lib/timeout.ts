import type { Scheduler } from './clock.js';

/** How long work may take, and what stands in for what it would have come to. */
export interface TimeoutOptions<T> {
  readonly ms: number;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** A promise that rejects makes being late a failure. */
  readonly late: () => T | Promise<T>;
}

/** What the work comes to, or `late` gives when it takes longer than `ms` milliseconds; then it goes on by itself. */
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
