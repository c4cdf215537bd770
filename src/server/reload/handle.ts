import type { LocatedReference } from '../../vault/find-references.js';

/** What a part was made from, so that a later load can tell whether it still fits. */
export interface Origin {
  /** Of its settings, their secrets and the files that they name. */
  readonly fingerprint: string;
  readonly references: readonly LocatedReference[];
}

/** Something opened for a configuration. Snapshots share it while nothing about it changes; the last one closes it. */
export class Handle<T> {
  readonly value: T;
  readonly origin: Origin;
  readonly #close: () => Promise<void>;
  #holders = 1;

  /** Held once, by whoever makes it. */
  constructor(value: T, origin: Origin, close: () => Promise<void>) {
    this.value = value;
    this.origin = origin;
    this.#close = close;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  /** Closes the value when nobody holds it any more. */
  async release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await this.#close();
  }
}
