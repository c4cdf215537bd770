import type { CompileSchema } from '../../core/schema.js';
import type { SchemaIndex } from '../../form-model/schema-index.js';
import type { SchemaValidator } from '../../json-schema/validator-pool/schema-validator.js';
import type { YangCompiler } from '../yang-forms/yang.js';
import type { Form, FormLimits, FormStore, StoredForm, BindingGrants } from './form-store.js';

export interface JsonFormsDeps {
  readonly forms: FormStore;
  readonly largeForms: LargeForms;
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

/** A stored form that is shown in part: its schema is large, comes from YANG and can be divided. */
export interface LargeForm {
  readonly form: Omit<Form, 'schema' | 'uiSchema'>;
  /** Size of the form in bytes of JSON. */
  readonly bytes: number;
  readonly index: SchemaIndex;
}

/** Finds stored forms as they are shown: in part or whole. */
export interface LargeForms {
  /** Finds a form by its id or its name; undefined if it does not exist. */
  readonly find: (key: string) => Promise<LargeForm | StoredForm | undefined>;
}
