/** Length of a slot, in milliseconds. */
const SLOT_MS = 30_000;
/** Number of slots: five minutes, the length of a cell. */
const SLOTS = 10;

/** Length of a cell, in milliseconds. */
export const CELL_MS = SLOT_MS * SLOTS;

/** Returns how much of the last five minutes the slots cover, in milliseconds. */
export function coveredMs(now: number): number {
  return (SLOTS - 1) * SLOT_MS + (now % SLOT_MS);
}

/**
 * Rows of counters, one for each half minute of the last five minutes. Counting allocates nothing. A row
 * replaces the row of five minutes before. `ended` receives the sums of each five minutes by the clock (from
 * :00, :05, ...) when they are over.
 */
export class SlidingCounts {
  readonly #width: number;
  readonly #counts: Uint32Array;
  readonly #ended: (at: number, sums: Float64Array) => void;
  #slot = -1;

  constructor(width: number, ended: (at: number, sums: Float64Array) => void = () => undefined) {
    this.#width = width;
    this.#counts = new Uint32Array(width * SLOTS);
    this.#ended = ended;
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
    this.#sum(sums, SLOTS);
  }

  /** Returns the sums of the current five minutes by the clock. */
  running(now: number): { readonly at: number; readonly sums: Float64Array } {
    this.#catchUp(now);
    return { at: cellOf(this.#slot) * CELL_MS, sums: this.#cellSums() };
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
    if (cellOf(slot) !== cellOf(previous)) {
      this.#slot = previous;
      const sums = this.#cellSums();
      this.#slot = slot;
      this.#ended(cellOf(previous) * CELL_MS, sums);
    }
    for (let one = Math.max(previous + 1, slot - SLOTS + 1); one <= slot; one += 1) {
      const at = (one % SLOTS) * this.#width;
      this.#counts.fill(0, at, at + this.#width);
    }
  }

  /**
   * Returns the sums of the current cell: the rows up to the latest slot. The other rows belong to the
   * previous cell.
   */
  #cellSums(): Float64Array {
    const sums = new Float64Array(this.#width);
    this.#sum(sums, (this.#slot % SLOTS) + 1);
    return sums;
  }

  #sum(sums: Float64Array, rows: number): void {
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < this.#width; column += 1)
        sums[column] = (sums[column] ?? 0) + (this.#counts[row * this.#width + column] ?? 0);
  }
}

function cellOf(slot: number): number {
  return Math.floor(slot / SLOTS);
}
