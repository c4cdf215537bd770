/** Limits the number of concurrent runs. */
export interface Semaphore {
  /** Runs the work when a slot is free; returns `undefined` if too many runs are already waiting. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export interface SemaphoreOptions {
  /** Maximum number of concurrent runs. */
  readonly atOnce: number;
  /** Maximum number of waiting runs. */
  readonly waiting: number;
}

/** Creates a semaphore that serves runs in the order of their arrival. */
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
      // A run that ends hands its slot to the next one.
      return new Promise<void>((resolve) => queue.push(resolve)).then(() => runNow(work));
    },
  };
}
