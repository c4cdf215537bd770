/** An item of a list, which has its neighbours as members. Only the list changes them. */
export interface Linked<T> {
  earlier: T | undefined;
  later: T | undefined;
}

/**
 * A list in order of addition, from which any item can be removed at once. An item can be in one list at a time.
 *
 * For what each call adds and removes, it is better than a Set: when V8 replaces the table of a Set by a cleaner one, the old table
 * keeps what it had in memory until the next full collection of garbage. A removed item has no neighbours, for the same reason.
 */
export class LinkedList<T extends Linked<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #size = 0;

  /** The item that was added first; undefined if the list is empty. */
  get first(): T | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the items at this time, in order of addition. */
  all(): readonly T[] {
    const items: T[] = [];
    for (let item = this.#first; item; item = item.later) items.push(item);
    return items;
  }

  /** Adds an item that is in no list. */
  add(item: T): void {
    item.earlier = this.#last;
    if (this.#last) this.#last.later = item;
    else this.#first = item;
    this.#last = item;
    this.#size += 1;
  }

  /** Removes an item. Returns false if it is in no list. */
  remove(item: T): boolean {
    const { earlier, later } = item;
    if (!earlier && this.#first !== item) return false;
    if (earlier) earlier.later = later;
    else this.#first = later;
    if (later) later.earlier = earlier;
    else this.#last = earlier;
    item.earlier = undefined;
    item.later = undefined;
    this.#size -= 1;
    return true;
  }
}
