import type { JsonObject } from '../../../../../src/core/json-object.js';
import { objectOf } from '../field/keywords.js';
import { Field } from '../field/field.js';
import { flatten } from '../field/flatten.js';
import { SchemaDocument } from '../field/schema-document.js';
import type { Json } from '../json/json.js';
import type { BoundOptions, FormOptions, FormSource, RowError, ValidationResult } from '../types.js';

/** What of a form never changes. */
export interface Form {
  readonly document: SchemaDocument;
  readonly root: Field;
  readonly bindingSchema: JsonObject;
  readonly options: FormOptions;
}

/** Data that was taken away when another alternative was chosen: by the alternative that it belongs to. */
export type StashedValue = ReadonlyMap<number, Json>;

/** What an edit changes, and undo brings back. */
export interface Content {
  /** Undefined while there is no document at all. */
  readonly data: Json | undefined;
  /** Alternatives that a person took, by the id of their row. */
  readonly chosen: ReadonlyMap<string, number | undefined>;
  readonly aside: ReadonlyMap<string, StashedValue>;
  /** Rows that a person opened or closed. */
  readonly open: ReadonlyMap<string, boolean>;
  readonly errors: readonly RowError[];
  readonly verdict: ValidationResult;
}

/** A form at one moment. It never changes: every function that changes something gives a new one. */
export interface FormState extends Content {
  readonly form: Form;
  /** The document that the form was opened with, or that somebody saved since. */
  readonly loaded: Json | undefined;
  /** Which rows are open that nobody opened or closed: those with data, all, or none. */
  readonly unfolding: 'filled' | 'all' | 'none';
  readonly filter: string;
  /** Options that are asked of somebody else, by the path of their field. */
  readonly bound: ReadonlyMap<string, BoundOptions>;
  /** Defaults that somebody else knew, by the path of their field. */
  readonly defaults: ReadonlyMap<string, Json>;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

/** A state to go back to, and what was done then: typing on at one place is one step. */
export interface Step {
  readonly content: Content;
  readonly what: string;
}

/** Opens a form. Nothing is worked out before it is asked for. */
export function openForm(source: FormSource, options: FormOptions = {}): FormState {
  const document = new SchemaDocument(source.schema, options.dialect);
  const resource = objectOf(source.schema);
  const parts = flatten(document, source.schema, { place: '', resource, resourcePlace: '' });
  const root = new Field({ document, parts, ui: objectOf(source.uiSchema), key: '', path: '' });
  return {
    form: { document, root, bindingSchema: objectOf(source.bindingSchema), options },
    loaded: source.data,
    data: source.data,
    chosen: new Map(),
    aside: new Map(),
    open: new Map(),
    errors: [],
    verdict: 'unchecked',
    unfolding: 'filled',
    filter: '',
    bound: new Map(),
    defaults: new Map(),
    past: [],
    future: [],
  };
}
