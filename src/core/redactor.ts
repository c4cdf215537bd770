/** Removes the secrets of the process from texts that leave it. */
export interface Redactor {
  /**
   * Masks these values from now on, as they are and in the usual encodings. Values with fewer than six
   * characters are not masked, because they occur in too many texts. Returns a function that releases the
   * values; they are masked for one more hour.
   */
  readonly add: (values: readonly string[]) => () => void;
  /** Returns the text with every known secret replaced by `[redacted]`. */
  readonly redact: (text: string) => string;
}

/** Removes secrets from a text. */
export type Redact = Redactor['redact'];
