import type { JsonObject } from '../../core/json-object.js';
import type { FormatMode } from '../../core/schema-engine.js';

/** Where a schema stands: a chain of tokens from the root of its document. */
export interface SchemaLocation {
  /** URI of the document; empty for the schema that was given. */
  readonly document: string;
  readonly parent: SchemaLocation | undefined;
  readonly token: string | number;
}

/** A schema at a place of a document, and what it checks once it is compiled. */
export interface SchemaNode {
  readonly schema: unknown;
  readonly place: SchemaLocation;
  readonly resource: Resource;
  /** Undefined until the schema is compiled. */
  checks: readonly Check[] | undefined;
  /** Whether it asks which members or items its neighbours have looked at. */
  tracks: boolean;
}

/** A schema with a URI of its own, and the names inside it. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** Set as soon as the resource is made. */
  root: SchemaNode | undefined;
  readonly anchors: Map<string, SchemaNode>;
  /** Names that `$dynamicRef` may find here in place of another; the empty one is `$recursiveAnchor`. */
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** What a draft, or a meta-schema with its choice of vocabularies, makes of keywords. */
export interface Dialect {
  readonly uri: string;
  /** `id` in draft 4, else `$id`. */
  readonly idKeyword: string;
  /** True up to draft 7: nothing beside `$ref` counts, and an `$id` may be an anchor. */
  readonly refStandsAlone: boolean;
  /** Whether `format` is checked, whatever the caller chose. */
  readonly assertsFormat: boolean;
  readonly rules: ReadonlyMap<string, Rule>;
}

/** Turns one keyword, or a few that belong together, into a check; nothing when there is nothing to check. */
export type Rule = (schema: JsonObject, builder: Builder) => Check | undefined;

/** Checks a value, and notes what it looked at when someone wants to know. False when the value is wrong. */
export type Check = (value: unknown, run: Run, seen: Seen | undefined) => boolean;

/** Where an error comes from. */
export interface ErrorSource {
  readonly node: SchemaNode;
  readonly keyword: string;
}

/** What a rule may ask for while its schema is compiled. */
export interface Builder {
  /** `assert` when formats are checked. */
  readonly formats: FormatMode;
  readonly site: (keyword: string) => ErrorSource;
  /** The schema at the given tokens below the one that is compiled. */
  readonly node: (schema: unknown, ...tokens: (string | number)[]) => SchemaNode;
  /** The schema that a reference means; undefined, and a fault, when there is none. */
  readonly refer: (keyword: string, reference: string) => SchemaNode | undefined;
  /** Has the schemas that a dynamic reference may find compiled as well. */
  readonly expect: (anchor: string) => void;
  /** A pattern; undefined, and a fault, when it is none or cannot be matched in linear time. */
  readonly pattern: (source: string, ...tokens: (string | number)[]) => Pattern | undefined;
}

/** A pattern whose time grows with the length of the text and no faster. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Steps of the worst case per character. */
  readonly size: number;
}

/** One validation of one value. */
export interface Run {
  /** Applies a schema to the value that is looked at. */
  readonly apply: (node: SchemaNode, value: unknown, seen: Seen | undefined) => boolean;
  /** Applies a schema to a member or an item of it. */
  readonly below: (node: SchemaNode, value: unknown, key: string | number) => boolean;
  /** Like `apply`, without errors: an answer is all that is wanted. */
  readonly probe: (node: SchemaNode, value: unknown, seen: Seen | undefined) => boolean;
  /** Like `below`, without errors. */
  readonly probeBelow: (node: SchemaNode, value: unknown, key: string | number) => boolean;
  /** The schema that a dynamic anchor means here: that of the outermost resource which has it. */
  readonly outermost: (anchor: string) => SchemaNode | undefined;
  /** Notes an error and returns false. `about` names the member that is missing or too many. */
  readonly fail: (site: ErrorSource, message: () => string, about?: string) => false;
  /** Takes steps from the fuel, and ends the run when it is empty. */
  readonly spend: (steps: number) => void;
  /** True when errors are not wanted, so that the first one is enough. */
  readonly isProbing: () => boolean;
  /** True when only errors deeper inside the value matter. */
  readonly isAboveFocus: () => boolean;
}

/** Which members and items of one value have been looked at by schemas that accept it. */
export interface Seen {
  readonly name: (name: string) => void;
  readonly allNames: () => void;
  readonly item: (index: number) => void;
  /** The items before an index. */
  readonly itemsUpTo: (end: number) => void;
  readonly hasName: (name: string) => boolean;
  readonly hasItem: (index: number) => boolean;
  /** An empty one, to be added when its branch turns out to be right. */
  readonly branch: () => Seen;
  readonly add: (other: Seen) => void;
}
