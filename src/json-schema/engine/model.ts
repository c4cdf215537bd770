import type { FormatMode } from '../../core/schema-engine.js';
import type { JsonObject } from '../../json/json-object.js';
import type { SchemaLocation } from './documents/schema-location.js';

/** Schema at a location in a document, with its checks after the schema is compiled. */
export interface SchemaNode {
  readonly schema: unknown;
  readonly location: SchemaLocation;
  readonly resource: Resource;
  /** Undefined until the schema is compiled. */
  checks: readonly Check[] | undefined;
  /** True if an `unevaluated` keyword needs the members and items that the other keywords evaluate. */
  tracksEvaluated: boolean;
}

/** Schema resource: a schema with its own URI, and the anchors inside the schema. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** Set as soon as the resource is created. */
  root: SchemaNode | undefined;
  readonly anchors: Map<string, SchemaNode>;
  /**
   * Dynamic anchors, with which this resource can override the target of a `$dynamicRef`. The empty name is
   * `$recursiveAnchor`.
   */
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** Dialect: the rules of the keywords in a draft, or in a custom meta-schema that selects vocabularies. */
export interface Dialect {
  readonly uri: string;
  /** `id` in draft 4, else `$id`. */
  readonly idKeyword: string;
  /** True up to draft 7: keywords next to `$ref` are ignored, and an `$id` may declare an anchor. */
  readonly ignoresRefSiblings: boolean;
  /** True if `format` is an assertion regardless of the compile options. */
  readonly assertsFormat: boolean;
  readonly rules: ReadonlyMap<string, Rule>;
}

/**
 * Compiles a keyword, or several related keywords, into a check. Returns undefined if the keywords cannot
 * make a value invalid.
 */
export type Rule = (schema: JsonObject, builder: Builder) => Check | undefined;

/** Checks a value and returns false if the value is invalid. Adds evaluated parts to `evaluated` if given. */
export type Check = (value: unknown, run: Run, evaluated: Evaluated | undefined) => boolean;

export interface ErrorSource {
  readonly node: SchemaNode;
  readonly keyword: string;
}

/** Services that a rule uses while it compiles a schema. */
export interface Builder {
  /** Called with the steps before work whose amount depends on more than the number of keywords. */
  readonly spend: (steps: number) => void;
  /** Whether `format` is an assertion in this schema. */
  readonly formats: FormatMode;
  readonly errorSource: (keyword: string) => ErrorSource;
  /** Returns the node of a schema at the given tokens below the current schema. */
  readonly node: (schema: unknown, ...tokens: (string | number)[]) => SchemaNode;
  /**
   * Returns the schema that a reference resolves to. Returns undefined and records a fault if no schema has
   * that URI.
   */
  readonly resolveReference: (keyword: string, reference: string) => SchemaNode | undefined;
  /** Also compiles every schema with a dynamic anchor, because a dynamic reference may resolve to it. */
  readonly compileDynamicAnchor: (anchor: string) => void;
  /**
   * Compiles a pattern. Returns undefined and records a fault if the pattern is invalid or cannot be matched
   * in linear time.
   */
  readonly pattern: (regex: string, ...tokens: (string | number)[]) => Pattern | undefined;
}

/** Compiled pattern. Matching takes time linear in the length of the text. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Steps per character in the worst case. */
  readonly size: number;
}

/** Validation of one value against a compiled schema. */
export interface Run {
  /** Applies a schema to the current value. */
  readonly apply: (node: SchemaNode, value: unknown, evaluated: Evaluated | undefined) => boolean;
  /** Applies a schema to a member or an item of the current value. */
  readonly applyBelow: (node: SchemaNode, value: unknown, key: string | number) => boolean;
  /** Applies a schema like `apply` without recording errors. */
  readonly probe: (node: SchemaNode, value: unknown, evaluated: Evaluated | undefined) => boolean;
  /** Applies a schema like `applyBelow` without recording errors. */
  readonly probeBelow: (node: SchemaNode, value: unknown, key: string | number) => boolean;
  /** Returns the schema with a dynamic anchor in the outermost resource of the dynamic scope that has it. */
  readonly resolveDynamicAnchor: (anchor: string) => SchemaNode | undefined;
  /** Records an error and returns false. `about` is the name of a missing or unexpected member. */
  readonly fail: (source: ErrorSource, message: () => string, about?: string) => false;
  /** Subtracts steps from the fuel, and ends the run if the fuel is used up. */
  readonly spend: (steps: number) => void;
  /** Returns true if errors are not recorded. A check may then stop at the first error. */
  readonly isProbing: () => boolean;
  /** Returns true if the run validates one location, and the current value contains that location. */
  readonly isAboveFocus: () => boolean;
}

/** Members and items of one value that schemas have evaluated and accepted. */
export interface Evaluated {
  readonly addName: (name: string) => void;
  readonly addAllNames: () => void;
  readonly addItem: (index: number) => void;
  /** Adds the items before an index. */
  readonly addItemsBefore: (end: number) => void;
  readonly hasName: (name: string) => boolean;
  readonly hasItem: (index: number) => boolean;
  /** Creates an empty record for one branch. The caller adds the record if the branch accepts the value. */
  readonly branch: () => Evaluated;
  readonly addAll: (other: Evaluated) => void;
}
