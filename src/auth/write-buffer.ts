import type { Scheduler } from '../core/lib/clock.js';

/** Buffer of items that are not yet written. */
export interface RevocationPublisher<Item> {
  /** Adds an item, which is written within a second together with others. */
  add(item: Item): void;
  /**
   * Writes the waiting items now. Throws the error of the write; the items then wait for a retry every
   * second.
   */
  flush(): Promise<void>;
  /** Tries to write once more, and never again. */
  close(): Promise<void>;
}

export interface OutboxOptions<Item> {
  /** Writes items; some of them may have been written before. */
  readonly send: (items: readonly Item[]) => Promise<void>;
  readonly scheduler: Scheduler;
  /** Maximum number of waiting items; the oldest item is dropped first. */
  readonly size?: number;
}

/** Pause before items are written, in milliseconds. */
const PAUSE_MS = 1_000;

/** Creates an empty buffer. */
export function createRevocationPublisher<Item>({
  send,
  scheduler,
  size = 10_000,
}: OutboxOptions<Item>): RevocationPublisher<Item> {
  const waiting = new Set<Item>();
  let cancel: (() => void) | undefined;
  let turn = Promise.resolve();
  let isClosed = false;

  function plan(): void {
    if (isClosed) return;
    cancel ??= scheduler.after(PAUSE_MS, () => {
      cancel = undefined;
      void flush().catch(() => undefined);
    });
  }

  async function sendAll(): Promise<void> {
    const items = [...waiting];
    if (items.length === 0) return;
    try {
      await send(items);
    } catch (error) {
      plan();
      throw error;
    }
    for (const item of items) waiting.delete(item);
  }

  function flush(): Promise<void> {
    const sending = turn.then(sendAll);
    turn = sending.catch(() => undefined);
    return sending;
  }

  return {
    flush,
    add(item) {
      waiting.add(item);
      for (const oldest of waiting) {
        if (waiting.size <= size) break;
        waiting.delete(oldest);
      }
      plan();
    },
    async close() {
      isClosed = true;
      cancel?.();
      await flush().catch(() => undefined);
    },
  };
}
