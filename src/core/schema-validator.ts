import type { CancelSignal } from './cancel-signal.js';
import type { RawJson } from './operation.js';

/** One thing that is wrong with a value, as a JSON Schema says. */
export interface ValueError {
  /** RFC 6901 pointer into the value. */
  readonly instancePath: string;
  /** The schema keyword that failed, for example `required`. */
  readonly keyword: string;
  /** A phrase that follows the name of the field. */
  readonly message: string;
  /** `title` of the field's schema, where it has one. */
  readonly title?: string;
}

/** What a schema says of a value. */
export interface SchemaValidationResult {
  readonly valid: boolean;
  /** At most 100. */
  readonly errors: readonly ValueError[];
  /** True when there are more errors. */
  readonly truncated: boolean;
  /** URI of the draft that was applied. */
  readonly dialect: string;
}

/**
 * Applies JSON Schemas that callers choose, and whose cost they choose with them: away from the main loop, within limits
 * of time and memory, and without a connection to anywhere. Takes bytes, so that not even reading them stops the main loop.
 * Throws `invalid_json`, `invalid_request`, `body_too_large`, `schema_invalid`, `schema_too_costly` or `validation_busy`.
 */
export interface SchemaValidator {
  /** Of `{"jsonSchema": ..., "formData": ...}`; a schema without `$schema` is draft 2020-12. */
  validateData(body: Uint8Array, signal: CancelSignal): Promise<SchemaValidationResult>;
  /** Of a form and `{"formData": ...}`; a schema without `$schema` is draft-07. */
  validateForm(form: Uint8Array, body: Uint8Array, signal: CancelSignal): Promise<SchemaValidationResult>;
  /** Of `{"jsonSchema": ..., "bindingSchema"?: ...}`: the schema without references and with its bindings, as JSON. */
  decode(body: Uint8Array, signal: CancelSignal): Promise<RawJson>;
}
