import type { Scheduler } from '../core/lib/clock.js';

/** Work that ends at a time. */
export interface Expiring {
  /** Latest end, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Ends the work now. */
  expire(): void;
}

/**
 * Ends works of the same duration with one timer for all of them: they end in the order in which they began. A timer for each
 * call costs more than its place in this queue.
 */
export class DeadlineQueue {
  readonly #scheduler: Scheduler;
  readonly #ms: number;
  readonly #running = new Set<Expiring>();
  #cancelTimer: (() => void) | undefined;

  /** `ms` is the duration of each work. */
  constructor(scheduler: Scheduler, ms: number) {
    this.#scheduler = scheduler;
    this.#ms = ms;
  }

  /** Adds work that begins now. */
  add(work: Expiring): void {
    this.#running.add(work);
    if (!this.#cancelTimer) this.#startTimer(this.#ms);
  }

  /** Removes work that has ended. An empty queue has no timer. */
  remove(work: Expiring): void {
    if (!this.#running.delete(work) || this.#running.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #startTimer(ms: number): void {
    this.#cancelTimer = this.#scheduler.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#expireDue();
    });
  }

  /** Ends the works that are due. The timer was started for work that may have ended since. */
  #expireDue(): void {
    const now = this.#scheduler.now();
    for (const work of this.#running) {
      if (work.endsAt > now) {
        this.#startTimer(work.endsAt - now);
        return;
      }
      this.#running.delete(work);
      work.expire();
    }
  }
}
