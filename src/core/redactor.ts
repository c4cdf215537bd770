/** Knows the secrets of the process and takes them out of texts that leave it. */
export interface Redactor {
  /**
   * From now on these values are masked, as they are and in the usual encodings; those of fewer than six characters
   * are not, because they stand in too many texts. The result lets go of them: they are masked for one more hour.
   */
  readonly add: (values: readonly string[]) => () => void;
  /** The text with every known secret in it replaced by `[redacted]`. */
  readonly redact: (text: string) => string;
}

/** Takes secrets out of a text. */
export type Redact = Redactor['redact'];
