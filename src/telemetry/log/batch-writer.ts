import type { Limits } from './level-filter.js';
import type { Entry } from './line.js';

/** An entry that at least one output writes. */
export interface GatedEntry extends Entry {
  readonly limits: Limits;
}

/** Maximum number of delayed entries. */
const MOST = 256;

/**
 * Passes entries on in groups: the entries of one turn of the event loop, or of several milliseconds under
 * load, because a write costs more than everything before it. Errors, warnings and the entries before them
 * are written immediately, because the process may be about to end.
 */
export class Batch {
  readonly #hand: (entries: readonly GatedEntry[]) => void;
  readonly #paceMs: number;
  #entries: GatedEntry[] = [];
  /** Time of the latest write, in milliseconds of a monotonic clock. */
  #handedAt = -Infinity;

  /** Creates a batch with at least `paceMs` milliseconds between two groups; 0: no minimum. */
  constructor(hand: (entries: readonly GatedEntry[]) => void, paceMs = 0) {
    this.#hand = hand;
    this.#paceMs = paceMs;
  }

  add(entry: GatedEntry): void {
    this.#entries.push(entry);
    const { length } = this.#entries;
    if (entry.level === 'error' || entry.level === 'warn' || length === MOST) this.flush();
    else if (length === 1) this.#flushSoon();
  }

  flush(): void {
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    this.#entries = [];
    if (this.#paceMs > 0) this.#handedAt = performance.now();
    this.#hand(entries);
  }

  #flushSoon(): void {
    const flush = () => {
      this.flush();
    };
    const waitMs = this.#paceMs > 0 ? this.#handedAt + this.#paceMs - performance.now() : 0;
    if (waitMs > 0) setTimeout(flush, waitMs);
    else setImmediate(flush);
  }
}
