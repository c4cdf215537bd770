import type { Scheduler } from '../lib/clock.js';

/** Buffer of items for the store, so that callers do not wait for the store. */
interface WriteBuffer<Item> {
  /** Adds an item. The buffer writes its items together, within a second. */
  add(item: Item): void;
  /** Writes all items now. Throws the error of a failed write; the buffer then retries every second. */
  flush(): Promise<void>;
  /** Tries one last write. Later items are not written. */
  close(): Promise<void>;
}

interface WriteBufferOptions<Item> {
  /** Writes items. A retry may contain items that an earlier write has stored. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  readonly scheduler: Scheduler;
  /** Maximum number of items; the buffer drops the oldest items. */
  readonly maxSize?: number;
}

/** Delay of a write after the first item, in milliseconds. */
const WRITE_DELAY_MS = 1_000;

/** Creates an empty buffer. */
export function createWriteBuffer<Item>({
  write,
  scheduler,
  maxSize = 10_000,
}: WriteBufferOptions<Item>): WriteBuffer<Item> {
  const waiting = new Set<Item>();
  let cancel: (() => void) | undefined;
  let lastWrite = Promise.resolve();
  let isClosed = false;

  function scheduleWrite(): void {
    if (isClosed) return;
    cancel ??= scheduler.after(WRITE_DELAY_MS, () => {
      cancel = undefined;
      void flush().catch(() => undefined);
    });
  }

  async function writeAll(): Promise<void> {
    const items = [...waiting];
    if (items.length === 0) return;
    try {
      await write(items);
    } catch (error) {
      scheduleWrite();
      throw error;
    }
    for (const item of items) waiting.delete(item);
  }

  function flush(): Promise<void> {
    const writing = lastWrite.then(writeAll);
    lastWrite = writing.catch(() => undefined);
    return writing;
  }

  return {
    flush,
    add(item) {
      waiting.add(item);
      for (const oldest of waiting) {
        if (waiting.size <= maxSize) break;
        waiting.delete(oldest);
      }
      scheduleWrite();
    },
    async close() {
      isClosed = true;
      cancel?.();
      await flush().catch(() => undefined);
    },
  };
}
