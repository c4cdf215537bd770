/** Whether `format` is checked, or only said. */
export type FormatMode = 'assert' | 'annotate';

/** Schemas that others may refer to, by URI. Nothing is ever fetched. */
export type SchemaRegistry = Readonly<Record<string, unknown>>;

/** How a schema is to be compiled. */
export interface CompileOptions {
  /** Draft of a schema that names none; 2020-12 when left out. */
  readonly dialect?: string;
  /** Schemas that it may refer to, by URI. The meta-schemas of all drafts are known besides. */
  readonly registry?: SchemaRegistry;
  /** Whether `format` is checked; it is unless this says `annotate`. */
  readonly formats?: FormatMode;
}

/** What is wrong with a schema itself. */
export interface SchemaFault {
  /** Pointer into the schema; behind the URI of the document and `#` where that is another one. */
  readonly pointer: string;
  /** A phrase that follows the place. */
  readonly message: string;
}

/** A schema that can be applied, or what is wrong with it. */
export type CompiledSchema =
  { readonly validator: SchemaValidator } | { readonly faults: readonly SchemaFault[] };

/** Bounds of one validation. */
export interface ValidateOptions {
  /** Steps that it may take: schemas applied, members walked over, characters matched. The same on every machine. */
  readonly fuel?: number;
  /** Most errors that are told. */
  readonly errors?: number;
}

/** What a schema says of a value. */
export interface ValidationOutcome {
  /** `out of fuel` when it would have taken more steps, or gone deeper, than allowed: the value may be right or wrong. */
  readonly outcome: 'valid' | 'invalid' | 'out of fuel';
  /** What is wrong; what had been found so far when the fuel ran out. */
  readonly errors: readonly SchemaError[];
  /** True when there are more errors than are told. */
  readonly truncated: boolean;
  /** Steps that it took. */
  readonly steps: number;
}

/** A compiled schema. It keeps nothing of the values that it sees. */
export interface SchemaValidator {
  /** URI of the draft, or of the meta-schema, that was applied. */
  readonly dialect: string;
  /** Never throws. */
  readonly validate: (value: unknown, options?: ValidateOptions) => ValidationOutcome;
  /**
   * The errors at and below one place of a whole value, and that a member is missing or too many there: what one edited
   * field needs. As `validate` would tell them, without looking at fields beside it. Never throws.
   */
  readonly validateAt: (value: unknown, pointer: string, options?: ValidateOptions) => ValidationOutcome;
}

/** One thing that a schema has against a value. */
export interface SchemaError {
  /** RFC 6901 pointer into the value. */
  readonly instancePath: string;
  /** The keyword that failed; `false schema` where a schema is `false`. */
  readonly keyword: string;
  /** Pointer to the keyword in its schema; behind the URI of the document and `#` where that is another one. */
  readonly schemaPath: string;
  /** A phrase that follows the name of the field. */
  readonly message: string;
  /** The member that is missing or not allowed. */
  readonly about?: string;
  /** `title` of the field's schema. */
  readonly title?: string;
}

/** Checks a schema against its meta-schema and makes it ready. Never throws for what a schema says. */
export type SchemaEngine = (schema: unknown, options?: CompileOptions) => CompiledSchema;
