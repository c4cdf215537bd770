/** Length of a slot, in milliseconds. */
const SLOT_MS = 30_000;
/** Number of slots: five minutes. */
const SLOTS = 10;

/** Returns how much of the last five minutes the slots cover, in milliseconds. */
export function coveredMs(now: number): number {
  return (SLOTS - 1) * SLOT_MS + (now % SLOT_MS);
}

/**
 * Rows of counters, one for each half minute of the last five minutes. Counting allocates nothing. A row
 * replaces the row of five minutes before.
 */
export class SlidingCounts {
  readonly #width: number;
  readonly #counts: Uint32Array;
  #slot = -1;

  constructor(width: number) {
    this.#width = width;
    this.#counts = new Uint32Array(width * SLOTS);
  }

  /** Increments a column in the current row. */
  count(now: number, column: number): void {
    const slot = Math.floor(now / SLOT_MS);
    if (slot !== this.#slot) this.#moveTo(slot);
    const at = (slot % SLOTS) * this.#width + column;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** Adds the counts of the last five minutes to `sums`. */
  addTo(sums: Float64Array, now: number): void {
    this.#catchUp(now);
    for (let row = 0; row < SLOTS; row += 1)
      for (let column = 0; column < this.#width; column += 1)
        sums[column] = (sums[column] ?? 0) + (this.#counts[row * this.#width + column] ?? 0);
  }

  #catchUp(now: number): void {
    const slot = Math.floor(now / SLOT_MS);
    if (slot !== this.#slot) this.#moveTo(slot);
  }

  #moveTo(slot: number): void {
    const previous = this.#slot;
    this.#slot = slot;
    // The first slot, or the clock was set back: the counts belong to another time.
    if (previous < 0 || slot < previous) {
      this.#counts.fill(0);
      return;
    }
    for (let one = Math.max(previous + 1, slot - SLOTS + 1); one <= slot; one += 1) {
      const at = (one % SLOTS) * this.#width;
      this.#counts.fill(0, at, at + this.#width);
    }
  }
}
