/** Cardinality: how often a statement may occur inside another statement. */
export interface Cardinality {
  /** Bit of the statement in its table, for sets of the statements that occur. */
  readonly bit: number;
  readonly min: number;
  readonly max: number;
  /** True if YANG 1.0 does not allow the statement here. */
  readonly since11: boolean;
  /** True if the maximum applies to YANG 1.0 only. */
  readonly isRepeatableIn11: boolean;
}

const DATA_DEFS = 'anydata*^ anyxml* choice* container* leaf* leaf-list* list* uses*';
const DESCRIPTION = 'description? reference?';
const METADATA = `${DESCRIPTION} status?`;
const BODY_STATEMENTS = `augment* deviation* extension* feature* grouping* identity* notification* rpc* typedef* ${DATA_DEFS}`;
const HEADER_STATEMENTS = `contact? ${DESCRIPTION} organization? import* include* revision* yang-version?`;
const ELEMENT_LIMITS = 'max-elements? min-elements?';
const ERROR_TEXTS = 'error-app-tag? error-message?';
const NODE_COMMON = `${METADATA} if-feature* when?`;
const SCOPED_DEFS = 'grouping* typedef*';
const OPERATIONS = 'action*^ notification*^';

/**
 * Substatements of each statement (RFC 7950 section 7 and RFC 6020). The suffix is the cardinality: `*` any
 * number, `+` one or more, `?` at most one, `!` exactly one, `&` at most one in YANG 1.0 and any number in
 * 1.1. `^` follows for substatements that YANG 1.0 does not allow.
 */
const GRAMMAR: Readonly<Record<string, string>> = {
  module: `namespace! prefix! ${HEADER_STATEMENTS} ${BODY_STATEMENTS}`,
  submodule: `belongs-to! ${HEADER_STATEMENTS} ${BODY_STATEMENTS}`,
  import: `prefix! revision-date? description?^ reference?^`,
  include: 'revision-date? description?^ reference?^',
  'belongs-to': 'prefix!',
  revision: DESCRIPTION,
  extension: `argument? ${METADATA}`,
  argument: 'yin-element?',
  feature: `${METADATA} if-feature*`,
  identity: `base& ${METADATA} if-feature*^`,
  typedef: `type! default? units? ${METADATA}`,
  type: 'base& bit* enum* fraction-digits? length? path? pattern* range? require-instance? type*',
  bit: `${METADATA} position? if-feature*^`,
  enum: `${METADATA} value? if-feature*^`,
  range: `${DESCRIPTION} ${ERROR_TEXTS}`,
  length: `${DESCRIPTION} ${ERROR_TEXTS}`,
  must: `${DESCRIPTION} ${ERROR_TEXTS}`,
  pattern: `${DESCRIPTION} ${ERROR_TEXTS} modifier?^`,
  when: DESCRIPTION,
  container: `${NODE_COMMON} config? must* presence? ${SCOPED_DEFS} ${OPERATIONS} ${DATA_DEFS}`,
  list: `${NODE_COMMON} config? must* key? ordered-by? unique* ${ELEMENT_LIMITS} ${SCOPED_DEFS} ${OPERATIONS} ${DATA_DEFS}`,
  leaf: `${NODE_COMMON} type! config? default? mandatory? must* units?`,
  'leaf-list': `${NODE_COMMON} type! config? default*^ must* ordered-by? units? ${ELEMENT_LIMITS}`,
  choice: `${NODE_COMMON} config? default? mandatory? case* anydata*^ anyxml* choice*^ container* leaf* leaf-list* list*`,
  case: `${NODE_COMMON} ${DATA_DEFS}`,
  anydata: `${NODE_COMMON} config? mandatory? must*`,
  anyxml: `${NODE_COMMON} config? mandatory? must*`,
  grouping: `${METADATA} ${SCOPED_DEFS} ${OPERATIONS} ${DATA_DEFS}`,
  uses: `${NODE_COMMON} augment* refine*`,
  refine: `${DESCRIPTION} config? default& if-feature*^ mandatory? must* presence? ${ELEMENT_LIMITS}`,
  augment: `${NODE_COMMON} case* ${OPERATIONS} ${DATA_DEFS}`,
  rpc: `${METADATA} if-feature* input? output? ${SCOPED_DEFS}`,
  action: `${METADATA} if-feature* input? output? ${SCOPED_DEFS}`,
  input: `must*^ ${SCOPED_DEFS} ${DATA_DEFS}`,
  output: `must*^ ${SCOPED_DEFS} ${DATA_DEFS}`,
  notification: `${METADATA} if-feature* must*^ ${SCOPED_DEFS} ${DATA_DEFS}`,
  deviation: `deviate+ ${DESCRIPTION}`,
  deviate: '',
};

/** Substatements of each kind of `deviate` (RFC 7950 7.20.3.2). */
const DEVIATE_GRAMMAR: Readonly<Record<string, string>> = {
  'not-supported': '',
  add: `config? default* mandatory? must* unique* units? ${ELEMENT_LIMITS}`,
  replace: `config? default* mandatory? type? units? ${ELEMENT_LIMITS}`,
  delete: 'default* must* unique* units?',
};

/** Allowed substatements of a statement: not more than 31, so that a number is a set of them. */
interface Substatements {
  readonly cardinalities: ReadonlyMap<string, Cardinality>;
  /** Bits of the substatements that are required. */
  readonly required: number;
}

const NO_SUBSTATEMENTS: Substatements = { cardinalities: new Map(), required: 0 };

/** Returns the allowed substatements of a statement with their cardinality; none for a keyword without an entry in the grammar. */
export function substatementsOf(keyword: string, argument: string): Substatements {
  return (keyword === 'deviate' ? DEVIATE_TABLES.get(argument) : TABLES.get(keyword)) ?? NO_SUBSTATEMENTS;
}

/** Returns the keywords whose bits are in a set. */
export function keywordsIn({ cardinalities }: Substatements, bits: number): readonly string[] {
  return [...cardinalities].flatMap(([keyword, { bit }]) => ((bits & bit) === 0 ? [] : [keyword]));
}

/** Returns true for a keyword of YANG 1.0 or 1.1. */
export function isKeyword(keyword: string): boolean {
  return KEYWORDS.has(keyword);
}

/** Statements that contain at least one data node (RFC 7950 section 14, `1*data-def-stmt`). */
export function needsDataDefinition(keyword: string): boolean {
  return keyword === 'input' || keyword === 'output' || keyword === 'list' || keyword === 'augment';
}

const NODE_KEYWORDS = new Set(
  [...DATA_DEFS.matchAll(/[a-z-]+/g)].map(String).concat('case', 'action', 'notification'),
);

/** Returns true for a keyword that satisfies {@link needsDataDefinition}. */
export function isDataDefinition(keyword: string): boolean {
  return NODE_KEYWORDS.has(keyword);
}

const CARDINALITIES: Readonly<Record<string, Omit<Cardinality, 'since11' | 'bit'>>> = {
  '*': { min: 0, max: Infinity, isRepeatableIn11: false },
  '+': { min: 1, max: Infinity, isRepeatableIn11: false },
  '?': { min: 0, max: 1, isRepeatableIn11: false },
  '!': { min: 1, max: 1, isRepeatableIn11: false },
  '&': { min: 0, max: 1, isRepeatableIn11: true },
};

function parseTable(grammar: string): Substatements {
  const entries = grammar.split(' ').filter((entry) => entry !== '');
  const cardinalities = new Map(entries.map(parseEntry));
  const required = [...cardinalities.values()].reduce(
    (bits, { min, bit }) => (min > 0 ? bits | bit : bits),
    0,
  );
  return { cardinalities, required };
}

function parseEntry(entry: string, at: number): readonly [string, Cardinality] {
  const [, keyword = '', count = '*', versionMark] = /^([a-z-]+)([*+?!&])(\^?)$/.exec(entry) ?? [];
  return [
    keyword,
    {
      bit: 1 << at,
      ...(CARDINALITIES[count] ?? { min: 0, max: 0, isRepeatableIn11: false }),
      since11: versionMark === '^',
    },
  ];
}

const TABLES = new Map(Object.entries(GRAMMAR).map(([keyword, grammar]) => [keyword, parseTable(grammar)]));
const DEVIATE_TABLES = new Map(
  Object.entries(DEVIATE_GRAMMAR).map(([kind, grammar]) => [kind, parseTable(grammar)]),
);

/** Keywords with substatements, and those that occur as substatements. */
const KEYWORDS = new Set(
  [...TABLES].flatMap(([keyword, { cardinalities }]) => [keyword, ...cardinalities.keys()]),
);
