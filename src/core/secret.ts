const SHOWN = '[secret]';

/**
 * A value that cannot be printed: as text, as JSON, and in `util.inspect` it is `[secret]`. `reveal()` is the
 * only access to the value, and easy to search for in a review.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN;
  }
}
