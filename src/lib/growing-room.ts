/**
 * Counts room that is held for things to come. Room that is missing is made in steps, once for all who wait for it.
 *
 * @example
 * ```ts
 * const room = new GrowingRoom(65_536, (bytes) => file.extend(bytes));
 * if (await room.hold(2_000)) store(thing).finally(() => room.release(2_000));
 * ```
 */
export class GrowingRoom {
  readonly #step: number;
  readonly #grow: (bytes: number) => Promise<boolean>;
  #size = 0;
  #held = 0;
  #growth: Promise<boolean> | undefined;

  /** `grow` makes room, a multiple of `step`, and resolves to false if there can be no more. */
  constructor(step: number, grow: (bytes: number) => Promise<boolean>) {
    this.#step = step;
    this.#grow = grow;
  }

  /** Holds room. Returns false without room, and a Promise only if the room must grow. */
  hold(bytes: number): boolean | Promise<boolean> {
    if (this.#held + bytes > this.#size) return this.#holdLater(bytes);
    this.#held += bytes;
    return true;
  }

  /** Frees room that was held. */
  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Adds room, or takes some away. What is held may then exceed the room, and no more is held until it has grown. */
  resize(bytes: number): void {
    this.#size += bytes;
  }

  async #holdLater(bytes: number): Promise<boolean> {
    for (;;) {
      const missing = this.#held + bytes - this.#size;
      if (missing <= 0) break;
      if (!(await (this.#growth ??= this.#growOnce(missing)))) return false;
    }
    this.#held += bytes;
    return true;
  }

  async #growOnce(missing: number): Promise<boolean> {
    const bytes = Math.ceil(missing / this.#step) * this.#step;
    try {
      const hasGrown = await this.#grow(bytes);
      if (hasGrown) this.#size += bytes;
      return hasGrown;
    } finally {
      this.#growth = undefined;
    }
  }
}
