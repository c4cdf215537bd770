import type { Limits } from './level-filter.js';
import type { Entry } from './line.js';

/** An entry that at least one output writes. */
export interface GatedEntry extends Entry {
  readonly limits: Limits;
}

/** Maximum number of delayed entries. */
const MAX_BATCH_ENTRIES = 256;

/**
 * Passes entries on in groups: the entries of one turn of the event loop, or of several milliseconds under
 * load, because a write costs more than everything before it. Errors, warnings and the entries before them
 * are written immediately, because the process may be about to end.
 */
export class Batch {
  readonly #write: (entries: readonly GatedEntry[]) => void;
  readonly #intervalMs: number;
  #entries: GatedEntry[] = [];
  /** Time of the latest write, in milliseconds of a monotonic clock. */
  #writtenAt = -Infinity;

  /** Creates a batch with at least `paceMs` milliseconds between two groups; 0: no minimum. */
  constructor(write: (entries: readonly GatedEntry[]) => void, intervalMs = 0) {
    this.#write = write;
    this.#intervalMs = intervalMs;
  }

  add(entry: GatedEntry): void {
    this.#entries.push(entry);
    const { length } = this.#entries;
    if (entry.level === 'error' || entry.level === 'warn' || length === MAX_BATCH_ENTRIES) this.flush();
    else if (length === 1) this.#flushSoon();
  }

  flush(): void {
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    this.#entries = [];
    if (this.#intervalMs > 0) this.#writtenAt = performance.now();
    this.#write(entries);
  }

  #flushSoon(): void {
    const flush = () => {
      this.flush();
    };
    const waitMs = this.#intervalMs > 0 ? this.#writtenAt + this.#intervalMs - performance.now() : 0;
    if (waitMs > 0) setTimeout(flush, waitMs);
    else setImmediate(flush);
  }
}
