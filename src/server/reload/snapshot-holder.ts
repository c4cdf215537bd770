import type { Lease, Snapshot } from '../../core/snapshot.js';

/** A snapshot that knows how to close what it opened. */
export interface ClosableSnapshot extends Snapshot {
  close(): Promise<void>;
}

interface Generation<Live> {
  readonly snapshot: Live;
  calls: number;
  /** Set once the generation has been replaced: runs when its last call has ended. */
  retire?: () => void;
}

/** The live snapshot: swapped by one assignment, and each call keeps the one that it began with. */
export class SnapshotHolder<Live extends ClosableSnapshot> {
  #live: Generation<Live>;
  readonly #listeners = new Set<() => void>();

  constructor(first: Live) {
    this.#live = { snapshot: first, calls: 0 };
  }

  /** The live snapshot for a synchronous look; a call that goes on must lease. */
  current(): Live {
    return this.#live.snapshot;
  }

  readonly lease: Lease = async (work) => {
    const generation = this.#live;
    generation.calls += 1;
    try {
      return await work(generation.snapshot);
    } finally {
      generation.calls -= 1;
      if (generation.calls === 0) generation.retire?.();
    }
  };

  /** Calls back after every swap, at once, until it is called off. */
  onSwap(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes another snapshot live at once; resolves when the old one has ended its calls and is closed. */
  async swap(next: Live): Promise<void> {
    const old = this.#live;
    this.#live = { snapshot: next, calls: 0 };
    for (const listener of [...this.#listeners]) listener();
    await lastCallOf(old);
    await old.snapshot.close();
  }

  /** Closes the live snapshot when its last call has ended. */
  async close(): Promise<void> {
    await lastCallOf(this.#live);
    await this.#live.snapshot.close();
  }
}

function lastCallOf(generation: Generation<unknown>): Promise<void> {
  if (generation.calls === 0) return Promise.resolve();
  return new Promise((resolve) => {
    generation.retire = resolve;
  });
}
