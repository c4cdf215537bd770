/**
 * A JSON Schema, draft 2020-12 unless its `$schema` names draft-07. `"x-secret": true` marks a string that must be kept in a `Secret`,
 * `"x-path": true` a file path that is relative to the file it is written in.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a schema has against a value. Messages never repeat the value: it may be a secret. */
export interface Violation {
  /** RFC 6901 pointer to the value, or to the member that is missing or not known. */
  readonly pointer: string;
  /** The schema keyword that failed, for example `required`. */
  readonly keyword: string;
  /** For the keyword `type`: the JSON types that were wanted. */
  readonly types?: readonly string[];
  readonly message: string;
}

export interface ValidationResult {
  readonly violations: readonly Violation[];
  /** Pointers of the string values that the schema marks with `x-secret`. */
  readonly secrets: readonly string[];
  /** Pointers of the string values that the schema marks with `x-path`. */
  readonly paths: readonly string[];
}

/** Checks a value and fills in the schema's defaults **in place**. */
export type Validator = (value: unknown) => ValidationResult;

/** Makes a validator; a schema that is no schema is a bug and throws. */
export type CompileSchema = (schema: JsonSchema) => Validator;

/** Part of a pattern that takes a word in any mixture of cases: JSON Schema patterns have no flag for it. */
export function anyCase(word: string): string {
  return word.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}
