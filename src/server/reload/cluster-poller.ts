import type { Scheduler } from '../../core/lib/clock.js';
import type { ClusterSubscription } from '../../core/cluster-events.js';

export interface PeerWatchInput {
  /** What is looked at; whatever one of them throws, the others are looked at. */
  readonly polls: readonly (() => Promise<void>)[];
  /** Has the watch look at once when there may be news. */
  readonly hear: (onNews: () => void) => ClusterSubscription;
  readonly scheduler: Scheduler;
}

/** Pause between two looks, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Looks for what was done on another node that shares the database: at once where it is heard, and within a second
 * in any case, because a connection that hears nothing any more may not know it. A database that is away is asked again.
 */
export class ClusterPoller {
  readonly #input: PeerWatchInput;
  readonly #hearing: ClusterSubscription;
  #callOff = (): void => undefined;
  #looking: Promise<void> | undefined;
  /** What was heard during a look may have come too late for it. */
  #lookAgain = false;
  #closed = false;

  constructor(input: PeerWatchInput) {
    this.#input = input;
    this.#hearing = input.hear(() => {
      this.#lookNow();
    });
    this.#plan();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOff();
    await Promise.all([this.#looking, this.#hearing.close()]);
  }

  #plan(): void {
    this.#callOff();
    if (this.#closed) return;
    this.#callOff = this.#input.scheduler.after(POLL_INTERVAL_MS, () => {
      this.#lookNow();
    });
  }

  #lookNow(): void {
    this.#lookAgain = true;
    if (this.#closed || this.#looking) return;
    this.#callOff();
    this.#looking = this.#look();
  }

  async #look(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      await Promise.allSettled(this.#input.polls.map((look) => look()));
    }
    this.#looking = undefined;
    this.#plan();
  }
}
