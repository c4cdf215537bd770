import type { JsonObject } from '../../../../src/json/json-object.js';
import type { Json } from './json/json.js';

/** Input of a form: the documents of wire 4.1, and the data as `readJson` returns it. */
export interface FormSource {
  readonly schema: unknown;
  readonly uiSchema?: unknown;
  readonly bindingSchema?: unknown;
  /** Left out for an empty form. */
  readonly data?: Json | undefined;
}

export interface FormOptions {
  /** Dialect of a schema without `$schema`; 2020-12 by default. */
  readonly dialect?: string;
  /** True prevents all edits. */
  readonly readOnly?: boolean;
  /** True if members are left out of the schema and are loaded on demand. */
  readonly isPartial?: boolean;
  /**
   * True for a form whose result is sent: it fills in defaults, drops the values of hidden fields and calculates values, as
   * its uiSchema says.
   */
  readonly computes?: boolean;
  /** BCP 47 tag of the language of the texts (`ui:translations`). */
  readonly language?: string;
  /** Identity of the schema for drafts; a hash of its text by default. */
  readonly schemaHash?: string;
  /** Maximum number of undo steps; 200 by default. */
  readonly undoLimit?: number;
}

/**
 * Kind of a row. `entry` is an entry of a list whose entries have members; a value of a leaf-list is a
 * `leaf`. `json` is a value that the form does not support, or that the schema does not describe: it is
 * edited as JSON.
 */
export type RowKind = 'container' | 'presence' | 'list' | 'entry' | 'leaf' | 'leaf-list' | 'choice' | 'json';

/** A value that the user can choose. */
export interface Option {
  readonly value: Json;
  readonly label: string;
  readonly description?: string;
}

/** Options from another service: pending, available, or the reason why there are none. */
export type BoundOptions =
  /** Titles of the fields that must have a value first. */
  | { readonly state: 'missing'; readonly fields: readonly string[] }
  | { readonly state: 'waiting' }
  /** `isDependent`: the options depend on the values of other fields. */
  | { readonly state: 'ready'; readonly options: readonly Option[]; readonly isDependent?: boolean }
  | { readonly state: 'failed'; readonly message: string };

/** Editor for the value of a row. `valueFromText` converts texts to values. */
export type Editor =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'text';
      readonly multiline: boolean;
      readonly secret: boolean;
      /** Keyboard of a phone. */
      readonly keyboard?: 'email' | 'url' | 'tel';
    }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: string;
      readonly maximum?: string;
    }
  | { readonly kind: 'select'; readonly options: readonly Option[]; readonly radio: boolean }
  | {
      readonly kind: 'combobox';
      readonly options: readonly Option[];
      readonly source: OptionSource;
      /** True if text that is not a reference to a secret is not shown. */
      readonly secret?: boolean;
    }
  | { readonly kind: 'checkbox' }
  /** YANG `empty`: present (`[null]`) or absent. */
  | { readonly kind: 'empty'; readonly value: Json }
  /** Names separated by spaces, in the order of the options. */
  | { readonly kind: 'bits'; readonly options: readonly Option[] }
  /** A leaf-list whose values are a subset of the options. */
  | { readonly kind: 'checkboxes'; readonly options: readonly Option[] }
  | { readonly kind: 'date' | 'time' | 'date-time' | 'color' }
  /** Bytes in base64, or a `data:` URL; `capture` asks a phone for a picture. */
  | {
      readonly kind: 'file' | 'signature';
      readonly isUrl: boolean;
      readonly mediaType?: string;
      readonly accept?: string;
      readonly capture?: string;
    }
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'json' };

/** Source of a combobox's options; with `leafref` and `binding`, other values may be typed as well. */
export type OptionSource = 'enum' | 'identityref' | 'leafref' | 'binding' | 'examples';

/** The alternatives of a choice row, or of a row whose schema is `oneOf` or `anyOf`. */
export interface Alternatives {
  readonly names: readonly string[];
  readonly chosen: number | undefined;
  /** Indexes of alternatives whose data is stashed until the form is sent. */
  readonly stashed: readonly number[];
  readonly mandatory: boolean;
}

/** Operations that a list or leaf-list allows on its entries. */
export interface ListFacts {
  readonly length: number;
  readonly canAdd: boolean;
  /** Maximum number of entries of a list that is full. */
  readonly maximum: number | undefined;
  readonly keys: readonly string[];
  readonly orderedByUser: boolean;
  /** True if the first entries have their own schemas, by position. */
  readonly isTuple: boolean;
}

/** Members that can be added to a container besides those that have rows. */
export interface AddableMembers {
  /** True if any name is allowed. */
  readonly any: boolean;
  /** Otherwise, the name must match one of these patterns (ECMA-262). */
  readonly patterns: readonly string[];
  /** Names that the schema suggests (`propertyNames` with `enum` or `examples`). */
  readonly names: readonly string[];
}

/** A condition of the model (XPath), which the form cannot always evaluate. */
export interface Condition {
  readonly xpath: string;
  readonly message?: string;
  /** Undefined if the form cannot evaluate the condition. */
  readonly holds: boolean | undefined;
}

/** An error of a value, shown at its row. */
export interface RowError {
  /** Pointer to the value, or to the missing member. */
  readonly pointer: string;
  /** A phrase that follows the name of the field. */
  readonly message: string;
  /** Empty for an error that the server reported. */
  readonly keyword: string;
  /** Pointer to the keyword in the schema. */
  readonly schemaPath?: string;
  /** For an error of a union, those of its alternatives. */
  readonly causes?: readonly RowError[];
  readonly source: 'form' | 'server';
}

/** One line of the treegrid. Most properties are computed on access. */
export interface Row {
  /** The pointer; for a choice `<pointer of its container>/~choice:<name>`, which is not a pointer. */
  readonly id: string;
  /** RFC 6901 pointer into the data; for a choice, the pointer of its container. */
  readonly pointer: string;
  /** `id` of the parent row. */
  readonly parent: string | undefined;
  readonly kind: RowKind;
  /** `aria-level`, from 1. */
  readonly level: number;
  /** `aria-posinset`, from 1, and `aria-setsize`, both among the visible rows. */
  readonly position: number;
  readonly setSize: number;
  readonly expandable: boolean;
  readonly open: boolean;
  /** True if the filter matches this row itself, not only a descendant. */
  readonly hit: boolean;

  /** Name of the member, or index of the entry. */
  readonly key: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly help: string | undefined;
  readonly placeholder: string | undefined;
  /** Text of the type label: `string`, `uint8`, `leafref`, `list`. */
  readonly type: string;
  readonly units: string | undefined;
  readonly defaultValue: Json | undefined;
  readonly deprecated: boolean;
  /** All YANG statements of the field (`x-yang`), for display. */
  readonly yang: JsonObject;

  readonly value: Json | undefined;
  /** The value as text for display or editing; empty if absent. */
  readonly text: string;
  readonly editor: Editor;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** True if a `when` does not hold, or the uiSchema disables the field. */
  readonly disabled: boolean;
  readonly when: readonly Condition[];
  readonly must: readonly Condition[];
  /** True for a value that null may replace, in an editor without such an option. */
  readonly nullable: boolean;
  /** True for an untouched value that equals its default. */
  readonly isDefault: boolean;
  readonly calculated: boolean;
  /** True if this value or a descendant differs from the loaded document. */
  readonly changed: boolean;
  readonly filled: boolean;
  /** True for a value that the schema does not describe; it is kept unchanged. */
  readonly unknown: boolean;
  /**
   * True for a row that can be removed with its content: entries, and members that the schema does not name.
   */
  readonly removable: boolean;
  /** True for the entry that a search shows below a list without entries, to find its members. */
  readonly isPossible: boolean;
  readonly errors: readonly RowError[];
  /** Number of leaves with values below, and of errors below. */
  readonly filledBelow: number;
  readonly errorsBelow: number;
  readonly alternatives: Alternatives | undefined;
  readonly list: ListFacts | undefined;
  readonly addable: AddableMembers | undefined;
  /** Pointers into the schema of what the form lacks of the row, and of the entries of a list. */
  readonly leftOut: readonly string[];
  readonly bound: BoundOptions | undefined;
}

export interface FormRows {
  readonly rows: readonly Row[];
  /** Number of matching rows; 0 without a filter. */
  readonly hits: number;
  /** Returns the index of a row by its `id`; -1 if it is not visible. */
  readonly indexOf: (id: string) => number;
}

export type Edit =
  | { readonly kind: 'set'; readonly pointer: string; readonly value: Json }
  /** Removes a value, and containers that exist only because of it. */
  | { readonly kind: 'clear'; readonly pointer: string }
  /** Creates or removes a presence container, or any container. */
  | { readonly kind: 'presence'; readonly pointer: string; readonly present: boolean }
  /** Adds an entry to a list; at its end by default. */
  | { readonly kind: 'add'; readonly pointer: string; readonly value?: Json; readonly at?: number }
  | { readonly kind: 'duplicate'; readonly pointer: string }
  | { readonly kind: 'move'; readonly pointer: string; readonly to: number }
  | { readonly kind: 'remove'; readonly pointer: string }
  /** Adds a member that the schema does not name. */
  | { readonly kind: 'member'; readonly pointer: string; readonly name: string }
  /** Chooses an alternative of a row (by its `id`); `undefined` chooses none. */
  | { readonly kind: 'choose'; readonly id: string; readonly alternative: number | undefined }
  /** Restores the loaded value at a pointer; `''` restores the whole document. */
  | { readonly kind: 'revert'; readonly pointer: string };

/** A difference between the loaded and the current data. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** Location in the current data; for a removal, the previous location. */
  readonly pointer: string;
  /** Location in the loaded data; undefined for an addition. */
  readonly loadedPointer: string | undefined;
  /** Titles from the root to the field. */
  readonly path: readonly string[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Result of a check of the whole document. */
export type ValidationResult = 'unchecked' | 'valid' | 'invalid' | 'too complex' | 'schema invalid';

/** Errors below one container. */
export interface ErrorGroup {
  readonly pointer: string;
  readonly title: string;
  readonly errors: readonly RowError[];
}
