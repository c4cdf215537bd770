import { hasBrand, setBrand } from './brand.js';

const MASK = '[secret]';
const SECRET = Symbol.for('gatehouse.Secret');

/**
 * A value that cannot be printed by mistake: text, JSON and `util.inspect` show `[secret]`. `reveal()` is the
 * only access to the value, so that a review can search for it. `instanceof` also holds for a Secret of another copy of
 * this module.
 *
 * @example
 * ```ts
 * const headers = { 'x-api-key': options.apiKey.reveal() };
 * ```
 */
export class Secret {
  static [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, SECRET);
  }

  readonly #value: string;

  /** Creates a Secret of a plain value. */
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

setBrand(Secret.prototype, SECRET);

/** Removes the secrets of this process from texts that other programs receive. */
export interface Redactor {
  /**
   * Masks these values from now on, unchanged and in the usual encodings. Does not mask values with fewer
   * than six characters, because they occur in too many texts. Returns a function that releases the values,
   * which are masked for one more hour.
   */
  readonly add: (values: readonly string[]) => () => void;
  /** Returns the text with every known secret replaced by `[redacted]`. */
  readonly redact: (text: string) => string;
}

/** Removes secrets from a text. */
export type Redact = Redactor['redact'];

/**
 * Absolute path of a PEM file. If the configuration contains a reference to Vault instead of the path, the
 * content.
 */
export type PemFile = string | Secret;

/**
 * Writes fields of one secret to Vault, at a path below the configured mount. Does not change its other
 * fields. Throws `vault_unavailable` or `vault_refused`.
 */
export type WriteSecrets = (path: string, fields: ReadonlyMap<string, Secret>) => Promise<void>;
