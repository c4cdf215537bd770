/** Most validators that are kept, and most characters of their schemas together: what is compiled is larger by far. */
const ENTRIES = 50;
const CHARACTERS = 2_000_000;

/** Keeps what was used last, within bounds. */
export class ValidatorCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #size = 0;

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map iterates in the order of insertion: the entry moves to its end.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value that is not there yet; `size` is the length of its schema. */
  set(key: string, value: Value, size: number): void {
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#entries) {
      if (this.#entries.size <= ENTRIES && this.#size <= CHARACTERS) return;
      this.#entries.delete(oldest);
      this.#size -= freed;
    }
  }
}
