import type { Scheduler } from '../core/lib/clock.js';

/** Work that ends at a time. */
export interface Expiring {
  /** Latest end, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Ends the work now. */
  expire(): void;
  /** Neighbours in the queue, which only the queue sets. */
  previous: Expiring | undefined;
  next: Expiring | undefined;
}

/**
 * Ends works of the same duration with one timer for all of them: they end in the order in which they began. A timer for each
 * call costs more than its place in this queue. The queue is a linked list: V8 copies the table of a Set every few dozen members,
 * and the tables of before would keep the calls in them until the next full collection.
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

  /** Adds work that begins now. */
  add(work: Expiring): void {
    work.previous = this.#last;
    if (this.#last) this.#last.next = work;
    else this.#first = work;
    this.#last = work;
    if (!this.#cancelTimer) this.#startTimer(this.#ms);
  }

  /** Removes work that has ended. An empty queue has no timer. */
  remove(work: Expiring): void {
    if (work !== this.#first && !work.previous) return;
    this.#unlink(work);
    if (this.#first) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #unlink(work: Expiring): void {
    const { previous, next } = work;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    work.previous = undefined;
    work.next = undefined;
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
