import { setImmediate as endOfTurn } from 'node:timers/promises';

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes items in the order of the calls. Those that arrive while a write is under way share the next one. */
export class Queue<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the item is written; rejects when its write failed. */
  append(item: Item): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The audit trail is closed.'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Writes what waits; later items are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever else this turn of the event loop brings shares the write.
      await endOfTurn();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch.map(({ item }) => item));
      } catch (error) {
        for (const { reject } of batch) reject(error);
        continue;
      }
      for (const { resolve } of batch) resolve();
    }
    this.#writing = undefined;
  }
}
