/** Handling of `format`: as an assertion, or only as an annotation. */
export type FormatMode = 'assert' | 'annotate';

/** Schemas that other schemas may refer to, by URI. Schemas are never fetched. */
export type SchemaRegistry = Readonly<Record<string, unknown>>;

export interface CompileOptions {
  /** Draft of a schema without `$schema`; 2020-12 by default. */
  readonly dialect?: string;
  /** Schemas that the schema may refer to, by URI. The meta-schemas of all drafts are always available. */
  readonly registry?: SchemaRegistry;
  /** Handling of `format`; `assert` by default. */
  readonly formats?: FormatMode;
}

export interface SchemaFault {
  /** Pointer into the schema. For another document, its URI and `#` precede the pointer. */
  readonly pointer: string;
  /** A phrase that follows the location. */
  readonly message: string;
}

/** A compiled schema, or the errors in the schema. */
export type CompiledSchema =
  | { readonly validator: SchemaValidator }
  | { readonly faults: readonly SchemaFault[] };

/** Limits of one validation. */
export interface ValidateOptions {
  /**
   * Maximum number of steps: schemas applied, members visited, characters matched. Unlike a time limit, gives
   * the same result on every machine.
   */
  readonly fuel?: number;
  /** Maximum number of reported errors. */
  readonly errors?: number;
}

export interface ValidationOutcome {
  /**
   * `out of fuel` if the validation exceeded the limit of steps or depth, so that the value may be valid or
   * invalid.
   */
  readonly outcome: 'valid' | 'invalid' | 'out of fuel';
  /** Errors; if the fuel ran out, the errors found before that. */
  readonly errors: readonly SchemaError[];
  /** True if there are more errors than in `errors`. */
  readonly truncated: boolean;
  readonly steps: number;
}

/** A compiled schema. Retains no validated value. */
export interface SchemaValidator {
  /** URI of the applied draft or meta-schema. */
  readonly dialect: string;
  /** Validates a value. Never throws. */
  readonly validate: (value: unknown, options?: ValidateOptions) => ValidationOutcome;
  /**
   * Validates only one location of a value and the locations below it, for example an edited field. Reports
   * the same errors as `validate`, including members that are missing or not allowed there. Never throws.
   */
  readonly validateAt: (value: unknown, pointer: string, options?: ValidateOptions) => ValidationOutcome;
}

export interface SchemaError {
  /** RFC 6901 pointer into the value. */
  readonly instancePath: string;
  /** The keyword that failed; `false schema` if a schema is `false`. */
  readonly keyword: string;
  /** Pointer to the keyword in its schema. For another document, its URI and `#` precede the pointer. */
  readonly schemaPath: string;
  /** A phrase that follows the name of the field. */
  readonly message: string;
  /** Name of a member that is missing or not allowed. */
  readonly about?: string;
  /** `title` of the field's schema. */
  readonly title?: string;
}
