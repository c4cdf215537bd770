/** Reason why a schema cannot be used. The message is a phrase that follows the place. */
export class CompileFault extends Error {
  /** Pointer into the schema, after the URI of the document and `#` if that is another document. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}
