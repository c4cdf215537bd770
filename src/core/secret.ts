const MASK = '[secret]';

/**
 * A value that cannot be printed by mistake: text, JSON and `util.inspect` show `[secret]`. `reveal()` is the
 * only access to the value, so that a review can search for it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the plain value. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}
