/** Keeps the latest items up to a fixed number; each further item replaces the oldest one. */
export class RingBuffer<T> {
  readonly #size: number;
  readonly #kept: T[] = [];
  /** Index of the next item once the buffer is full. */
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Adds an item. Returns the item that it replaces; undefined while the buffer has room. */
  add(one: T): T | undefined {
    if (this.#kept.length < this.#size) {
      this.#kept.push(one);
      return undefined;
    }
    const replaced = this.#kept[this.#next];
    this.#kept[this.#next] = one;
    this.#next = (this.#next + 1) % this.#size;
    return replaced;
  }

  /** Returns the items, oldest first. */
  all(): readonly T[] {
    return [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
  }
}
