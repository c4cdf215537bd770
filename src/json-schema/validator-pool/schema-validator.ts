import type { RawJson } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import type { JsonSchema } from '../../core/schema.js';
import type { YangModelReference } from '../../core/yang.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';

export interface ValueError {
  /** RFC 6901 pointer into the value. */
  readonly instancePath: string;
  /** The schema keyword that failed, for example `required`. */
  readonly keyword: string;
  /** A phrase that follows the name of the field. */
  readonly message: string;
  /** `title` of the field's schema, if the schema has a title. */
  readonly title?: string;
  /** `error-app-tag` of the violated YANG rule (RFC 7950 section 15). */
  readonly appTag?: string;
}

export interface SchemaValidationResult {
  readonly valid: boolean;
  /** At most 100 errors. */
  readonly errors: readonly ValueError[];
  /** True if there are more errors than in `errors`. */
  readonly truncated: boolean;
  /** URI of the draft that was applied, or {@link YANG_DIALECT}. */
  readonly dialect: string;
  /** YANG model that the schema was compiled from; set until the data is validated by the model. */
  readonly yangModel?: YangModelReference;
  /**
   * Whether the data was validated by the YANG model of the schema; `model-missing` if the server does not have the model
   * any more. Absent for a schema without a model, and for data that is invalid by the schema alone.
   */
  readonly yang?: 'checked' | 'model-missing';
}

/** Dialect of a document of XML, to which no JSON Schema applies. */
export const YANG_DIALECT = 'YANG';

/** Caller of a task. The tasks of different callers are served in turn. */
export interface TaskCaller {
  readonly principal?: Principal | undefined;
  readonly signal: CancelSignal;
}

/**
 * Validates with JSON Schemas of callers, whose cost is unknown. Runs outside of the main thread, within
 * limits of time and memory, and without network access; only a form whose schema a thread found to be cheap is applied in
 * the main thread, within a count of steps. Accepts bytes, so that the main thread does not
 * parse them. Throws `invalid_json`, `invalid_request`, `body_too_large`, `schema_invalid`,
 * `schema_too_costly` or `validation_busy`.
 */
export interface SchemaValidator {
  /** Validates `{"jsonSchema": ..., "formData": ...}`; a schema without `$schema` is draft 2020-12. */
  validateData(body: Uint8Array, caller: TaskCaller): Promise<SchemaValidationResult>;
  /** Validates `{"formData": ...}` against a form; a schema without `$schema` is draft-07. */
  validateForm(form: Uint8Array, body: Uint8Array, caller: TaskCaller): Promise<SchemaValidationResult>;
  /**
   * Decodes `{"jsonSchema": ..., "bindingSchema"?: ...}`, which `bodySchema` describes. Returns the schema as
   * JSON, with references resolved and bindings applied.
   */
  decode(body: Uint8Array, bodySchema: JsonSchema, caller: TaskCaller): Promise<RawJson>;
}
