import type { Limits } from './level-filter.js';
import type { Entry } from './line.js';

/** An entry that one output writes at least. */
export interface GatedEntry extends Entry {
  readonly limits: Limits;
}

/** Most entries that are put off. */
const MOST = 256;

/**
 * Hands entries on in groups: what one turn of the event loop says is written at once, and under load what several
 * milliseconds say, for a write costs more than all that comes before it. Errors and warnings, and what was said before them, are not
 * put off: the process may end now.
 */
export class Batch {
  readonly #hand: (entries: readonly GatedEntry[]) => void;
  readonly #paceMs: number;
  #entries: GatedEntry[] = [];
  /** Time at which it handed on last, in milliseconds of a clock that nobody sets. */
  #handedAt = -Infinity;

  /** Between two groups there are `paceMs` milliseconds at least; 0: none. */
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
