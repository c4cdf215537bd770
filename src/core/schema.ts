/**
 * A JSON Schema, draft 2020-12 unless its `$schema` names draft-07. `"x-secret": true` marks a string that
 * becomes a `Secret`. `"x-path": true` marks a file path that is relative to the file that contains the path.
 * `x-hint` is the message for a wrong value, `x-type-hint` the end of the message for a wrong type, and `x-unit` the unit of a
 * number, for example `seconds`.
 * `x-documented` has keywords that only the API description contains, because the handler enforces them with a
 * problem of its own.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One violation of a schema by a value. Messages never repeat the value, which may be a secret. */
export interface Violation {
  /** RFC 6901 pointer to the value, or to the missing or unknown member. */
  readonly pointer: string;
  /** The schema keyword that failed, for example `required`. */
  readonly keyword: string;
  /** For the keyword `type`: the expected JSON types. */
  readonly types?: readonly string[];
  readonly message: string;
  /** Next step for the author of the value, in one or two sentences. */
  readonly advice: string;
}

/** Result of a validation. */
export interface ValidationResult {
  readonly violations: readonly Violation[];
  /** Pointers of the string values that the schema marks with `x-secret`. */
  readonly secrets: readonly string[];
  /** Pointers of the string values that the schema marks with `x-path`. */
  readonly paths: readonly string[];
}

/** Validates a value and fills in the schema's defaults **in place**. */
export type Validator = (value: unknown) => ValidationResult;

/** Creates a validator. Throws for an invalid schema, which is a bug. */
export type CompileSchema = (schema: JsonSchema) => Validator;

/**
 * Returns a pattern that matches a word case-insensitively, because patterns of JSON Schema have no flags.
 */
export function anyCase(word: string): string {
  return word.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}
