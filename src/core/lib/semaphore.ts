/** Work that takes turns. */
export interface Semaphore {
  /** Does the work when its turn comes; `undefined` when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export interface SemaphoreOptions {
  /** Most that is done at once. */
  readonly atOnce: number;
  /** Most that waits. */
  readonly waiting: number;
}

/** Makes turns, first come, first served. */
export function createSemaphore({ atOnce, waiting }: SemaphoreOptions): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;

  async function runNow<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    run(work) {
      if (running < atOnce) {
        running += 1;
        return runNow(work);
      }
      if (queue.length >= waiting) return undefined;
      // The turn of the one that ends is handed on.
      return new Promise<void>((resolve) => queue.push(resolve)).then(() => runNow(work));
    },
  };
}
