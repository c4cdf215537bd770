import type { JsonObject } from '../../core/json-object.js';
import type { FormatMode } from '../../core/schema-engine.js';

/** Place of a schema: a chain of tokens from the root of its document. */
export interface SchemaLocation {
  /** URI of the document; empty for the given schema. */
  readonly document: string;
  readonly parent: SchemaLocation | undefined;
  readonly token: string | number;
}

/** Schema at a place of a document, with its checks once it is compiled. */
export interface SchemaNode {
  readonly schema: unknown;
  readonly place: SchemaLocation;
  readonly resource: Resource;
  /** Undefined until the schema is compiled. */
  checks: readonly Check[] | undefined;
  /** True if the node needs to know which members or items its other keywords evaluate. */
  tracks: boolean;
}

/** Schema with its own URI, and the names inside it. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** Set as soon as the resource is created. */
  root: SchemaNode | undefined;
  readonly anchors: Map<string, SchemaNode>;
  /**
   * Names that `$dynamicRef` may find here in place of another schema; the empty name is `$recursiveAnchor`.
   */
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** Meaning of keywords in a draft, or in a meta-schema that selects vocabularies. */
export interface Dialect {
  readonly uri: string;
  /** `id` in draft 4, else `$id`. */
  readonly idKeyword: string;
  /** True up to draft 7: keywords next to `$ref` are ignored, and an `$id` may be an anchor. */
  readonly refStandsAlone: boolean;
  /** True if `format` is checked regardless of the caller's choice. */
  readonly assertsFormat: boolean;
  readonly rules: ReadonlyMap<string, Rule>;
}

/**
 * Compiles one keyword, or several related keywords, into a check. Returns undefined if there is nothing to
 * check.
 */
export type Rule = (schema: JsonObject, builder: Builder) => Check | undefined;

/** Checks a value and returns false if it is invalid. Records the evaluated parts in `seen` if given. */
export type Check = (value: unknown, run: Run, seen: Seen | undefined) => boolean;

/** Origin of an error. */
export interface ErrorSource {
  readonly node: SchemaNode;
  readonly keyword: string;
}

/** Services for a rule while its schema is compiled. */
export interface Builder {
  /** `assert` if formats are checked. */
  readonly formats: FormatMode;
  readonly site: (keyword: string) => ErrorSource;
  /** Returns the node of a schema at the given tokens below the current schema. */
  readonly node: (schema: unknown, ...tokens: (string | number)[]) => SchemaNode;
  /**
   * Returns the schema that a reference means. Returns undefined and records a fault if it does not exist.
   */
  readonly refer: (keyword: string, reference: string) => SchemaNode | undefined;
  /** Compiles the schemas that a dynamic reference may find as well. */
  readonly expect: (anchor: string) => void;
  /**
   * Compiles a pattern. Returns undefined and records a fault if it is invalid or cannot be matched in linear
   * time.
   */
  readonly pattern: (source: string, ...tokens: (string | number)[]) => Pattern | undefined;
}

/** Pattern that is matched in time linear in the length of the text. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Steps per character in the worst case. */
  readonly size: number;
}

/** One validation of one value. */
export interface Run {
  /** Applies a schema to the current value. */
  readonly apply: (node: SchemaNode, value: unknown, seen: Seen | undefined) => boolean;
  /** Applies a schema to a member or an item of the current value. */
  readonly below: (node: SchemaNode, value: unknown, key: string | number) => boolean;
  /** Applies a schema like `apply`, but records no errors. */
  readonly probe: (node: SchemaNode, value: unknown, seen: Seen | undefined) => boolean;
  /** Applies a schema like `below`, but records no errors. */
  readonly probeBelow: (node: SchemaNode, value: unknown, key: string | number) => boolean;
  /** Returns the schema of a dynamic anchor: that of the outermost resource that has the anchor. */
  readonly outermost: (anchor: string) => SchemaNode | undefined;
  /** Records an error and returns false. `about` names a missing or unexpected member. */
  readonly fail: (site: ErrorSource, message: () => string, about?: string) => false;
  /** Takes steps from the fuel, and ends the run if it is empty. */
  readonly spend: (steps: number) => void;
  /** Returns true if errors are not recorded, so that the first error is enough. */
  readonly isProbing: () => boolean;
  /** Returns true if only errors deeper inside the value matter. */
  readonly isAboveFocus: () => boolean;
}

/** Members and items of one value that have been evaluated by schemas that accept it. */
export interface Seen {
  readonly name: (name: string) => void;
  readonly allNames: () => void;
  readonly item: (index: number) => void;
  /** Records the items before an index. */
  readonly itemsUpTo: (end: number) => void;
  readonly hasName: (name: string) => boolean;
  readonly hasItem: (index: number) => boolean;
  /** Creates an empty record for a branch. It is added if the branch accepts the value. */
  readonly branch: () => Seen;
  readonly add: (other: Seen) => void;
}
