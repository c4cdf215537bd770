import type { BindingGrants } from '../../core/binding-grant.js';
import type { FormLimits, FormStore } from '../../core/form.js';
import type { SchemaValidator } from '../../core/schema-validator.js';
import type { CompileSchema } from '../../core/schema.js';
import type { YangCompiler } from '../../core/yang.js';

/** Dependencies of the form operations. */
export interface JsonFormsDeps {
  readonly forms: FormStore;
  /** Returns the limits of the current configuration. */
  readonly formLimits: () => FormLimits & {
    /** Maximum size of a form, in bytes of JSON. */
    readonly maxBytes: number;
  };
  /** Validates data against the schemas of forms and callers, in threads. */
  readonly validator: SchemaValidator;
  readonly yang: YangCompiler;
  /** Compiles the schemas of parts of a body. */
  readonly compile: CompileSchema;
  /** Gives the grants under which forms send the queries of their bindings. */
  readonly grants: BindingGrants;
  /** Creates a unique id of 24 hexadecimal digits. */
  readonly newFormId: () => string;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}
