interface BoundedMapLimits {
  readonly maxEntries: number;
  /** Maximum total weight of the entries. */
  readonly maxWeight?: number;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** Map that evicts its least recently used entries when it exceeds its limits. */
export class BoundedMap<K, V> {
  // A Map iterates in insertion order, so the first entry is the least recently used.
  readonly #entries = new Map<K, Entry<V>>();
  readonly #limits: BoundedMapLimits;
  #weight = 0;
  /** The last entry of the map, which need not be moved when it is used again. */
  #latest: Entry<V> | undefined;

  constructor(limits: BoundedMapLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns a value, and makes its entry the most recently used one. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry !== this.#latest) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#latest = entry;
    }
    return entry?.value;
  }

  /** Adds or replaces an entry. Evicts entries beyond the limits, in the end the new entry itself. */
  set(key: K, value: V, weight = 0): void {
    this.delete(key);
    this.#latest = { value, weight };
    this.#entries.set(key, this.#latest);
    this.#weight += weight;
    const { maxEntries, maxWeight = Infinity } = this.#limits;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#weight <= maxWeight) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  /** Returns the values, the least recently used first. */
  *values(): Generator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }
}
