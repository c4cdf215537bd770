import type { JsonObject } from '../../../../../src/json/json-object.js';
import type { CompletionRules } from '../completion/rules.js';
import type { Field } from '../field/field.js';
import type { SchemaDocument } from '../field/schema-document.js';
import type { Json } from '../json/json.js';
import type { BoundOptions, FormOptions, RowError, ValidationResult } from '../types.js';

/** The constant part of a form. */
export interface Form {
  readonly document: SchemaDocument;
  readonly root: Field;
  readonly bindingSchema: JsonObject;
  readonly options: FormOptions;
  /** True if the schema was loaded in part: `withLoadedSubtrees` adds the rest. */
  readonly isPartial: boolean;
  /** What the form itself does; undefined if it does nothing. */
  readonly rules: CompletionRules | undefined;
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
  /** Values of fields that a condition hides, by pointer: they return with their fields. */
  readonly hidden: ReadonlyMap<string, Json>;
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
