import type { Log } from '../../core/log.js';
import type { Lease, Snapshot } from '../../core/snapshot.js';

/** A snapshot that can close everything that it opened. */
export interface ClosableSnapshot extends Snapshot {
  close(): Promise<void>;
}

/** A snapshot while calls use it. */
class Generation<Live> {
  readonly snapshot: Live;
  calls = 0;
  /** Called when the last call has ended; set after the generation is replaced. */
  retire?: () => void;
  /** Ends a call, and returns its result. One function for all calls, because every call needs it. */
  readonly endWith = <T>(result: T): T => {
    this.#end();
    return result;
  };
  /** Ends a call, and throws its error. */
  readonly failWith = (error: unknown): never => {
    this.#end();
    throw error;
  };

  constructor(snapshot: Live) {
    this.snapshot = snapshot;
  }

  #end(): void {
    this.calls -= 1;
    if (this.calls === 0) this.retire?.();
  }
}

/** The live snapshot. A swap is one assignment, and each call keeps the snapshot with which it began. */
export class SnapshotHolder<Live extends ClosableSnapshot> {
  #live: Generation<Live>;
  readonly #listeners = new Set<() => void>();

  constructor(first: Live) {
    this.#live = new Generation(first);
  }

  /** Returns the live snapshot for synchronous use. Asynchronous work must use `lease`. */
  current(): Live {
    return this.#live.snapshot;
  }

  readonly lease: Lease = (work) => {
    const generation = this.#live;
    generation.calls += 1;
    try {
      return work(generation.snapshot).then(generation.endWith, generation.failWith);
    } catch (error) {
      return Promise.reject(error as Error).catch(generation.failWith);
    }
  };

  /** Runs work with the live snapshot, and holds the snapshot only if the work is asynchronous. The work must not swap it. */
  use<T>(work: (snapshot: Live) => T | Promise<T>): T | Promise<T> {
    const result = work(this.current());
    return result instanceof Promise ? this.lease(() => result) : result;
  }

  /** Calls the listener synchronously after every swap. The returned function removes the listener. */
  onSwap(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes another snapshot live at once. Resolves when the calls of the previous snapshot have ended and it is closed. */
  async swap(next: Live): Promise<void> {
    const previous = this.#live;
    this.#live = new Generation(next);
    for (const listener of [...this.#listeners]) listener();
    await lastCallOf(previous);
    await previous.snapshot.close();
  }

  /** Closes the live snapshot when its last call has ended. */
  async close(): Promise<void> {
    await lastCallOf(this.#live);
    await this.#live.snapshot.close();
  }
}

/** Makes another snapshot live. Does not wait for running calls, which keep the previous snapshot. */
export function swap<Live extends ClosableSnapshot>(
  current: SnapshotHolder<Live>,
  next: Live,
  log: Log,
): void {
  current.swap(next).catch((error: unknown) => {
    log.error('closing the previous configuration failed', { error });
  });
}

function lastCallOf(generation: Generation<unknown>): Promise<void> {
  if (generation.calls === 0) return Promise.resolve();
  return new Promise((resolve) => {
    generation.retire = resolve;
  });
}
