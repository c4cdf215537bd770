import type { JsonObject } from '../../../../src/core/json-object.js';
import type { Json } from './json/json.js';

/** What a form is opened from: the documents of wire 4.1, the data as `readJson` gives it. */
export interface FormSource {
  readonly schema: unknown;
  readonly uiSchema?: unknown;
  readonly bindingSchema?: unknown;
  /** Left out for a form that begins empty. */
  readonly data?: Json | undefined;
}

/** How a form is opened. */
export interface FormOptions {
  /** Draft of a schema that names none; 2020-12 when left out. */
  readonly dialect?: string;
  /** Nothing may be edited. */
  readonly readOnly?: boolean;
  /** Identity of the schema for drafts; made from its text when left out. */
  readonly schemaHash?: string;
  /** Steps that can be undone; 200 when left out. */
  readonly undoLimit?: number;
}

/**
 * What a row stands for. `entry` is one entry of a list whose entries have members; one value of a leaf-list is a
 * `leaf`. `json` is what the form does not understand, or the schema does not describe: it is edited as JSON.
 */
export type RowKind = 'container' | 'presence' | 'list' | 'entry' | 'leaf' | 'leaf-list' | 'choice' | 'json';

/** Where a value comes from: the schema's default (or nothing at all), the document that was loaded, the person. */
export type RowState = 'default' | 'loaded' | 'edited';

/** A value to choose from. */
export interface Option {
  readonly value: Json;
  readonly label: string;
  readonly description?: string;
}

/** Options that are asked of somebody else: still under way, there, or why not. */
export type BoundOptions =
  | { readonly state: 'waiting' }
  | { readonly state: 'ready'; readonly options: readonly Option[] }
  | { readonly state: 'failed'; readonly message: string };

/** How the value of a row is edited. Texts become values by `valueFromText`. */
export type Editor =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly multiline: boolean; readonly secret: boolean }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: string;
      readonly maximum?: string;
    }
  | { readonly kind: 'select'; readonly options: readonly Option[]; readonly radio: boolean }
  | { readonly kind: 'combobox'; readonly options: readonly Option[]; readonly source: OptionSource }
  | { readonly kind: 'checkbox' }
  /** YANG `empty`: there (`[null]`) or absent. */
  | { readonly kind: 'empty'; readonly value: Json }
  /** Names with a space in between, in the order of the options. */
  | { readonly kind: 'bits'; readonly options: readonly Option[] }
  /** A leaf-list whose values are a choice of these. */
  | { readonly kind: 'checkboxes'; readonly options: readonly Option[] }
  | { readonly kind: 'date' | 'time' | 'date-time' | 'color' }
  /** Bytes in base64. */
  | { readonly kind: 'file' }
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'json' };

/** Where the options of a combobox come from; with `leafref` and `binding` other values may be typed as well. */
export type OptionSource = 'enum' | 'identityref' | 'leafref' | 'binding' | 'examples';

/** The alternatives of a choice row, or of a row whose schema is `oneOf` or `anyOf`. */
export interface Alternatives {
  readonly names: readonly string[];
  readonly chosen: number | undefined;
  /** Those whose data is kept aside until the form is sent. */
  readonly aside: readonly number[];
  readonly mandatory: boolean;
}

/** What can be done with the entries of a list or leaf-list. */
export interface ListFacts {
  readonly length: number;
  readonly canAdd: boolean;
  readonly canRemove: boolean;
  readonly keys: readonly string[];
  readonly orderedByUser: boolean;
}

/** Members that can be added to a container beside those that have rows. */
export interface AddableMembers {
  /** True when any name will do. */
  readonly any: boolean;
  /** Otherwise one of these patterns (ECMA-262) must be found in the name. */
  readonly patterns: readonly string[];
}

/** A condition of the model (XPath) that the form cannot always judge. */
export interface Condition {
  readonly xpath: string;
  readonly message?: string;
  /** Undefined when the form cannot tell. */
  readonly holds: boolean | undefined;
}

/** Something wrong with a value, told at its row. */
export interface RowError {
  /** Pointer to the value, or to the member that is missing. */
  readonly pointer: string;
  /** A phrase that follows the name of the field. */
  readonly message: string;
  /** Empty for what a server said. */
  readonly keyword: string;
  readonly source: 'form' | 'server';
}

/** One line of the treegrid. Everything but the first lines is worked out when it is read. */
export interface Row {
  /** The pointer; for a choice `<pointer of its container>/~choice:<name>`, which is no pointer. */
  readonly id: string;
  /** RFC 6901 pointer into the data; for a choice that of its container. */
  readonly pointer: string;
  /** `id` of the row that it hangs below. */
  readonly parent: string | undefined;
  readonly kind: RowKind;
  /** `aria-level`, from 1. */
  readonly level: number;
  /** `aria-posinset`, from 1, and `aria-setsize`, both among the rows that are shown. */
  readonly position: number;
  readonly setSize: number;
  readonly expandable: boolean;
  readonly open: boolean;
  /** True when the filter finds this row itself, and not only something below it. */
  readonly hit: boolean;

  /** Name of the member, or index of the entry. */
  readonly key: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly help: string | undefined;
  readonly placeholder: string | undefined;
  /** For a small label: `string`, `uint8`, `leafref`, `list`. */
  readonly type: string;
  readonly units: string | undefined;
  readonly defaultValue: Json | undefined;
  readonly deprecated: boolean;
  /** What the model says of the field (`x-yang`), for those who want to see all of it. */
  readonly yang: JsonObject;

  readonly value: Json | undefined;
  /** The value as a text to show or to edit; empty when absent. */
  readonly text: string;
  readonly editor: Editor;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** True when a `when` does not hold, or the uiSchema says so. */
  readonly disabled: boolean;
  readonly when: readonly Condition[];
  readonly must: readonly Condition[];
  readonly state: RowState;
  /** True when this value, or something below it, differs from what was loaded. */
  readonly changed: boolean;
  readonly filled: boolean;
  /** Not described by the schema: kept as it is. */
  readonly unknown: boolean;
  /** True for what can be taken away with all that is in it: entries, and members that are not of the schema's own list. */
  readonly removable: boolean;
  readonly errors: readonly RowError[];
  /** Leaves that have values below, and errors below. */
  readonly filledBelow: number;
  readonly errorsBelow: number;
  readonly alternatives: Alternatives | undefined;
  readonly list: ListFacts | undefined;
  readonly addable: AddableMembers | undefined;
  readonly bound: BoundOptions | undefined;
}

/** All rows that are shown now. */
export interface FormRows {
  readonly rows: readonly Row[];
  /** Rows that the filter finds; 0 without a filter. */
  readonly hits: number;
  /** Place of a row by its `id`; -1 when it is not shown. */
  readonly indexOf: (id: string) => number;
}

/** One thing that a person does to the data. */
export type Edit =
  | { readonly kind: 'set'; readonly pointer: string; readonly value: Json }
  /** Makes a value absent, and containers that were made only for it. */
  | { readonly kind: 'clear'; readonly pointer: string }
  /** Switches a presence container, or any container, on and off. */
  | { readonly kind: 'presence'; readonly pointer: string; readonly present: boolean }
  /** Adds an entry to a list; at its end when `at` is left out. */
  | { readonly kind: 'add'; readonly pointer: string; readonly value?: Json; readonly at?: number }
  | { readonly kind: 'duplicate'; readonly pointer: string }
  | { readonly kind: 'move'; readonly pointer: string; readonly to: number }
  | { readonly kind: 'remove'; readonly pointer: string }
  /** Adds a member that the schema has no name for. */
  | { readonly kind: 'member'; readonly pointer: string; readonly name: string }
  /** Takes an alternative of a row (its `id`); `undefined` takes none. */
  | { readonly kind: 'choose'; readonly id: string; readonly alternative: number | undefined }
  /** Brings back what was loaded, of one value or (pointer `''`) of everything. */
  | { readonly kind: 'revert'; readonly pointer: string };

/** One difference between what was loaded and what is there now. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** Place in the data now; for what was removed, where it was. */
  readonly pointer: string;
  /** Place in the data that was loaded; undefined for what was added. */
  readonly loadedPointer: string | undefined;
  /** Titles from the root to the field. */
  readonly path: readonly string[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** What a check of the whole document came to. */
export type ValidationResult = 'unchecked' | 'valid' | 'invalid' | 'too complex' | 'schema invalid';

/** Errors below one of the containers at the top. */
export interface ErrorGroup {
  readonly pointer: string;
  readonly title: string;
  readonly errors: readonly RowError[];
}
