import type { SchemaValidator } from '../../core/schema-validator.js';
import type { FormLimits, FormStore } from '../../core/form.js';
import type { CompileSchema } from '../../core/schema.js';
import type { YangCompiler } from '../../core/yang.js';

/** What the forms may touch. */
export interface JsonFormsDeps {
  readonly forms: FormStore;
  /** As the configuration stands now. */
  readonly formLimits: () => FormLimits & {
    /** Largest form, in bytes of JSON. */
    readonly maxBytes: number;
  };
  /** Applies the schemas of forms and callers. */
  readonly judge: SchemaValidator;
  readonly yang: YangCompiler;
  /** Makes the checks of what stands inside a body. */
  readonly compile: CompileSchema;
  /** 24 hexadecimal digits that no form has had. */
  readonly newFormId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
