import type { Scheduler } from '../lib/clock.js';
import { type Linked, LinkedList } from '../lib/linked-list.js';

/** Work that ends at a time. */
export interface Expiring extends Linked<Expiring> {
  /** Latest end, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Ends the work now. */
  expire(): void;
}

/**
 * Ends works of the same duration with one timer for all of them: they end in the order in which they began. A timer for each
 * call costs more than its place in this queue.
 */
export class DeadlineQueue<T extends Expiring = Expiring> {
  readonly #scheduler: Scheduler;
  readonly #ms: number;
  readonly #running = new LinkedList<Expiring>();
  #cancelTimer: (() => void) | undefined;

  /** `ms` is the duration of each work. */
  constructor(scheduler: Scheduler, ms: number) {
    this.#scheduler = scheduler;
    this.#ms = ms;
  }

  /** The work that began first; undefined if the queue is empty. */
  get first(): T | undefined {
    return this.#running.first as T | undefined;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Adds work that begins now, and that is not in the queue. */
  add(work: T): void {
    this.#running.add(work);
    if (!this.#cancelTimer) this.#startTimer(this.#ms);
  }

  /** Removes work that has ended, if it is in the queue. An empty queue has no timer. */
  remove(work: T): void {
    if (!this.#running.remove(work) || this.#running.size > 0) return;
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
    for (let work = this.#running.first; work; work = this.#running.first) {
      if (work.endsAt > now) {
        this.#startTimer(work.endsAt - now);
        return;
      }
      this.#running.remove(work);
      work.expire();
    }
  }
}
