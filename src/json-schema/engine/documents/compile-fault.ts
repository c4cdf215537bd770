/** Why a schema cannot be used. The message follows the place. */
export class CompileFault extends Error {
  /** Pointer into the schema; behind the URI of the document and `#` where that is another one. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}
