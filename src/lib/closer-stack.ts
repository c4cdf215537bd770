/** A resource that must be closed. */
export interface Closable {
  close(): Promise<void> | void;
}

/** Closes resources in the reverse order of their opening. */
export class CloserStack {
  readonly #opened: Closable[] = [];
  #closing: Promise<void> | undefined;

  /** Adds an open resource, and returns it. Closes it at once if the stack is closing or closed. */
  add<T extends Closable>(resource: T): T {
    if (this.#closing) void resource.close();
    else this.#opened.push(resource);
    return resource;
  }

  /** Closes the resources one by one, the latest first. A second call returns the promise of the first. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    for (const resource of this.#opened.splice(0).reverse()) await resource.close();
  }
}
