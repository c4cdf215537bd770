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
