/** Something that was opened and has to be closed. */
export interface Closable {
  close(): Promise<void> | void;
}

/** Closes what was opened, in the opposite order. */
export class CloserStack {
  readonly #opened: Closable[] = [];
  #closing: Promise<void> | undefined;

  /** Remembers a resource that is open now, and returns it. */
  add<T extends Closable>(resource: T): T {
    this.#opened.push(resource);
    return resource;
  }

  /** Closes the resources one after the other, the latest first. A second call returns the promise of the first. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    for (const resource of this.#opened.splice(0).reverse()) await resource.close();
  }
}
