import type { Scheduler } from '../core/lib/clock.js';

/** Work that ends at a time. Its neighbours in the queue are members, which only the queue uses. */
export interface Expiring {
  /** Latest end, in milliseconds since 1970. */
  readonly endsAt: number;
  earlier: Expiring | undefined;
  later: Expiring | undefined;
  /** Ends the work now. */
  expire(): void;
}

/**
 * Ends works of the same duration with one timer for all of them: they end in the order in which they began. A timer for each
 * call costs more than its place in this queue.
 *
 * The works are a linked list. The table of a Set, when it has been replaced by a larger or cleaner one, keeps the works that it had
 * in memory until the next full collection.
 */
export class DeadlineQueue {
  readonly #scheduler: Scheduler;
  readonly #ms: number;
  #first: Expiring | undefined;
  #last: Expiring | undefined;
  #cancelTimer: (() => void) | undefined;

  /** `ms` is the duration of each work. */
  constructor(scheduler: Scheduler, ms: number) {
    this.#scheduler = scheduler;
    this.#ms = ms;
  }

  /** Adds work that begins now, and that is not in the queue. */
  add(work: Expiring): void {
    work.earlier = this.#last;
    if (this.#last) this.#last.later = work;
    else this.#first = work;
    this.#last = work;
    if (!this.#cancelTimer) this.#startTimer(this.#ms);
  }

  /** Removes work that has ended, if it is in the queue. An empty queue has no timer. */
  remove(work: Expiring): void {
    if (!this.#unlink(work) || this.#first) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Takes work out of the list. Returns false if it is not in the list. */
  #unlink(work: Expiring): boolean {
    const { earlier, later } = work;
    if (!earlier && this.#first !== work) return false;
    if (earlier) earlier.later = later;
    else this.#first = later;
    if (later) later.earlier = earlier;
    else this.#last = earlier;
    work.earlier = undefined;
    work.later = undefined;
    return true;
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
    for (let work = this.#first; work; work = this.#first) {
      if (work.endsAt > now) {
        this.#startTimer(work.endsAt - now);
        return;
      }
      this.#unlink(work);
      work.expire();
    }
  }
}
