import type { ClusterSubscription } from '../../core/cluster-events.js';
import type { Scheduler } from '../../lib/clock.js';

interface ClusterPollerInput {
  /** Functions that check for changes. If one of them throws, the poller still calls all others. */
  readonly polls: readonly (() => Promise<void>)[];
  /** Subscribes to notifications of changes, which cause a poll at once. */
  readonly subscribe: (onChange: () => void) => ClusterSubscription;
  readonly scheduler: Scheduler;
}

/** Time between two polls, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Polls for changes of other nodes that share the database: at once after a notification, and every second in any case,
 * because a broken subscription may not be detected. Failed polls are repeated.
 */
export class ClusterPoller {
  readonly #input: ClusterPollerInput;
  readonly #subscription: ClusterSubscription;
  #cancelTimer = (): void => undefined;
  #polling: Promise<void> | undefined;
  /** True if a notification arrived during a poll, which may have missed the change. */
  #pollAgain = false;
  #closed = false;

  constructor(input: ClusterPollerInput) {
    this.#input = input;
    this.#subscription = input.subscribe(() => {
      this.#pollNow();
    });
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await Promise.all([this.#polling, this.#subscription.close()]);
  }

  #schedule(): void {
    this.#cancelTimer();
    if (this.#closed) return;
    this.#cancelTimer = this.#input.scheduler.after(POLL_INTERVAL_MS, () => {
      this.#pollNow();
    });
  }

  #pollNow(): void {
    this.#pollAgain = true;
    if (this.#closed || this.#polling) return;
    this.#cancelTimer();
    this.#polling = this.#poll();
  }

  async #poll(): Promise<void> {
    while (this.#pollAgain && !this.#closed) {
      this.#pollAgain = false;
      await Promise.allSettled(this.#input.polls.map((poll) => poll()));
    }
    this.#polling = undefined;
    this.#schedule();
  }
}

interface RevisionPollOptions {
  /** Reads the revision of the state of the API. */
  readonly revision: () => Promise<number>;
  /** The revision that is live. */
  readonly live: () => number;
  /** Called once for each revision of another process. */
  readonly onChange: () => void;
  /** True if a revision must be found twice, because it is mostly one of this process that becomes live right after. */
  readonly mustPersist?: boolean;
}

/** Creates a poll for state of the API from other processes. The poll throws the errors of `revision`. */
export function createRevisionPoll({
  revision,
  live,
  onChange,
  mustPersist = false,
}: RevisionPollOptions): () => Promise<void> {
  let seen = live();
  let previous = seen;
  return async () => {
    const found = await revision();
    const isNew = found !== previous;
    previous = found;
    if (mustPersist && isNew) return;
    // A change of this node is live already, or its request activates it.
    const isForeign = found !== seen && found !== live();
    seen = found;
    if (isForeign) onChange();
  };
}
