/** A mutant that means the same as what it was made of: nothing that a test could see differs. */
export interface EquivalentMutant {
  /** Source file, without `.ts`. */
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly because: string;
}

/** Those that were looked at by hand. */
export const EQUIVALENT: readonly EquivalentMutant[] = [];
