/** Bounds of a {@link FairQueue}. */
interface FairQueueLimits {
  readonly maxItems: number;
  /** Maximum number of items of one owner. */
  readonly maxItemsPerOwner: number;
}

/** A bounded queue that serves its owners in turn, so that an owner with many items does not delay the others. */
export class FairQueue<Item> {
  readonly #limits: FairQueueLimits;
  /** Items by owner. The first owner is served next. */
  readonly #itemsByOwner = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item after the other items of its owner; returns false if the queue has no room for it. */
  add(owner: string, item: Item): boolean {
    const items = this.#itemsByOwner.get(owner) ?? [];
    const { maxItems, maxItemsPerOwner } = this.#limits;
    if (this.#size >= maxItems || items.length >= maxItemsPerOwner) return false;
    items.push(item);
    this.#itemsByOwner.set(owner, items);
    this.#size += 1;
    return true;
  }

  /** Removes and returns the first item of the next owner; undefined if the queue is empty. */
  take(): Item | undefined {
    for (const [owner, [first, ...others]] of this.#itemsByOwner) {
      this.#itemsByOwner.delete(owner);
      if (others.length > 0) this.#itemsByOwner.set(owner, others);
      this.#size -= 1;
      return first;
    }
    return undefined;
  }

  /** Removes an item; returns false if the queue does not contain it. */
  remove(owner: string, item: Item): boolean {
    const items = this.#itemsByOwner.get(owner) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    if (items.length === 0) this.#itemsByOwner.delete(owner);
    this.#size -= 1;
    return true;
  }
}

/** A bounded number of concurrent runs. Waiting runs are bounded too, and their owners take turns. */
export class FairSemaphore {
  readonly #queue: FairQueue<() => void>;
  #free: number;

  /** `slots` is the maximum number of concurrent runs; the limits are those of the waiting runs. */
  constructor(slots: number, limits: FairQueueLimits) {
    this.#free = slots;
    this.#queue = new FairQueue(limits);
  }

  /**
   * Runs the work: now if a slot is free, otherwise when the owner's turn comes. Returns undefined without running it
   * if the queue has no room for the owner.
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#runInSlot(work);
    }
    const { promise, resolve } = deferred();
    return this.#queue.add(owner, resolve) ? promise.then(() => this.#runInSlot(work)) : undefined;
  }

  async #runInSlot<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = this.#queue.take();
      if (next) next();
      else this.#free += 1;
    }
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
