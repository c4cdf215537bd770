import { type SchemaSubtree, withSubtrees } from '../../../../../src/form-model/schema-subtrees.js';
import { type JsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { Field } from '../field/field.js';
import { flatten, SchemaDocument } from '../field/schema-document.js';
import type { Json } from '../json/json.js';
import type { BoundOptions, FormOptions, FormSource, RowError, ValidationResult } from '../types.js';

/** The constant part of a form. */
interface Form {
  readonly document: SchemaDocument;
  readonly root: Field;
  readonly bindingSchema: JsonObject;
  readonly options: FormOptions;
  /** True if the schema was loaded in part: {@link withLoadedSubtrees} adds the rest. */
  readonly isPartial: boolean;
}

/** Data that was removed when another alternative was chosen, by the index of its alternative. */
export type StashedValue = ReadonlyMap<number, Json>;

/** The part of the state that edits change and undo restores. */
export interface Content {
  /** Undefined if there is no document. */
  readonly data: Json | undefined;
  /** Alternatives that the user chose, by the id of their row. */
  readonly chosen: ReadonlyMap<string, number | undefined>;
  /** Data of alternatives that are no longer chosen, by the id of their row. */
  readonly stashed: ReadonlyMap<string, StashedValue>;
  /** Rows that the user opened (true) or closed (false), by their id. */
  readonly open: ReadonlyMap<string, boolean>;
  readonly errors: readonly RowError[];
  readonly validationResult: ValidationResult;
}

/** State of a form. Immutable: every function that changes something returns a new state. */
export interface FormState extends Content {
  readonly form: Form;
  /** The document that the form was opened with, or the version that another user saved since. */
  readonly loaded: Json | undefined;
  /**
   * Rows that are open by default: those with data, all except long lists (`form`), all, or none.
   */
  readonly unfolding: 'filled' | 'form' | 'all' | 'none';
  readonly filter: string;
  /** Options from other services, by the path of their field. */
  readonly bound: ReadonlyMap<string, BoundOptions>;
  /** Defaults from other services, by the path of their field. */
  readonly defaults: ReadonlyMap<string, Json>;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

/** An undo step: the content before an edit, and the name of the edit. */
export interface Step {
  readonly content: Content;
  readonly editName: string;
}

/** Creates the state of a form. The schema is read on first use. */
export function openForm(source: FormSource, options: FormOptions = {}): FormState {
  return {
    form: formOf(source, options),
    loaded: source.data,
    data: source.data,
    chosen: new Map(),
    stashed: new Map(),
    open: new Map(),
    errors: [],
    validationResult: 'unchecked',
    unfolding: 'filled',
    filter: '',
    bound: new Map(),
    defaults: new Map(),
    past: [],
    future: [],
  };
}

function formOf(source: Omit<FormSource, 'data'>, options: FormOptions): Form {
  const document = new SchemaDocument(source.schema, options.dialect, source.uiSchema);
  const resource = objectOf(source.schema);
  const parts = flatten(document, source.schema, { pointer: '', resource, resourcePointer: '' });
  const root = new Field({ document, parts, ui: objectOf(source.uiSchema), key: '', path: '' });
  const { isPartial = false } = options;
  return { document, root, bindingSchema: objectOf(source.bindingSchema), options, isPartial };
}

/** Returns the state with subtrees of its schema that were left out. */
export function withLoadedSubtrees(state: FormState, subtrees: readonly SchemaSubtree[]): FormState {
  const { document, root, bindingSchema, options } = state.form;
  const { schema, uiSchema } = withSubtrees({ schema: document.root, uiSchema: root.source.ui }, subtrees);
  return schema === document.root
    ? state
    : { ...state, form: formOf({ schema, uiSchema, bindingSchema }, options) };
}
