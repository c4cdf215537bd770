import type { CancelSignal } from './cancel-signal.js';

/** Limits the number of concurrent runs. Waiting runs start in the order of their arrival. */
export class Semaphore {
  readonly #queue: (() => void)[] = [];
  #free: number;

  /** `slots` is the maximum number of concurrent runs. */
  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs the work: now if a slot is free, otherwise after the earlier runs. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.tryAcquire()) await this.#wait();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Takes a slot, which the caller must release. Throws the reason of the signal if it fires first. */
  async acquire(signal?: CancelSignal): Promise<void> {
    if (signal?.aborted) throw signal.reason;
    if (!this.tryAcquire()) await this.#wait(signal);
  }

  /** Takes a slot, which the caller must release, if one is free. Returns false if none is. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Returns a slot: to the first waiting run, if there is one. */
  release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }

  #wait(signal?: CancelSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(begin), 1);
        if (signal) reject(signal.reason);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#queue.push(begin);
    });
  }
}
