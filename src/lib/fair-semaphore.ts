import { FairQueue, type FairQueueLimits } from './fair-queue.js';

/** A bounded number of concurrent runs. Waiting runs are bounded too, and their owners take turns. */
export class FairSemaphore {
  readonly #queue: FairQueue<() => void>;
  #free: number;

  /** `slots` is the maximum number of concurrent runs; the limits are those of the waiting runs. */
  constructor(slots: number, limits: FairQueueLimits) {
    this.#free = slots;
    this.#queue = new FairQueue(limits);
  }

  /**
   * Runs the work: now if a slot is free, otherwise when the owner's turn comes. Returns undefined without running it
   * if the queue has no room for the owner.
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#runInSlot(work);
    }
    const { promise, resolve } = deferred();
    return this.#queue.add(owner, resolve) ? promise.then(() => this.#runInSlot(work)) : undefined;
  }

  async #runInSlot<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = this.#queue.take();
      if (next) next();
      else this.#free += 1;
    }
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
