/** Keeps the latest so many, and forgets the oldest for each one more. */
export class RingBuffer<T> {
  readonly #size: number;
  readonly #kept: T[] = [];
  /** Where the next one goes once all places are taken. */
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(one: T): void {
    if (this.#kept.length < this.#size) {
      this.#kept.push(one);
      return;
    }
    this.#kept[this.#next] = one;
    this.#next = (this.#next + 1) % this.#size;
  }

  /** Oldest first. */
  all(): readonly T[] {
    return [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
  }
}
