/** How often a statement may occur inside another. */
export interface Cardinality {
  readonly least: number;
  readonly most: number;
  /** True if only YANG 1.1 knows the statement. */
  readonly since11: boolean;
  /** True if only YANG 1.1 allows more than one. */
  readonly many11: boolean;
}

const DATA = 'anydata*^ anyxml* choice* container* leaf* leaf-list* list* uses*';
const TEXTS = 'description? reference?';
const META = `${TEXTS} status?`;
const BODY = `augment* deviation* extension* feature* grouping* identity* notification* rpc* typedef* ${DATA}`;
const HEAD = `contact? ${TEXTS} organization? import* include* revision* yang-version?`;
const LIMITS = 'max-elements? min-elements?';
const ERROR = 'error-app-tag? error-message?';
const COMMON = `${META} if-feature* when?`;
const SCOPE = 'grouping* typedef*';
const OPERATIONS = 'action*^ notification*^';

/**
 * Statements that may occur inside each statement (RFC 7950 section 7 and RFC 6020): `*` any number, `+` one
 * or more, `?` at most one, `!` exactly one, `&` at most one in YANG 1.0 and any number in 1.1. `^` marks
 * statements that YANG 1.0 does not know.
 */
const GRAMMAR: Readonly<Record<string, string>> = {
  module: `namespace! prefix! ${HEAD} ${BODY}`,
  submodule: `belongs-to! ${HEAD} ${BODY}`,
  import: `prefix! revision-date? description?^ reference?^`,
  include: 'revision-date? description?^ reference?^',
  'belongs-to': 'prefix!',
  revision: TEXTS,
  extension: `argument? ${META}`,
  argument: 'yin-element?',
  feature: `${META} if-feature*`,
  identity: `base& ${META} if-feature*^`,
  typedef: `type! default? units? ${META}`,
  type: 'base& bit* enum* fraction-digits? length? path? pattern* range? require-instance? type*',
  bit: `${META} position? if-feature*^`,
  enum: `${META} value? if-feature*^`,
  range: `${TEXTS} ${ERROR}`,
  length: `${TEXTS} ${ERROR}`,
  must: `${TEXTS} ${ERROR}`,
  pattern: `${TEXTS} ${ERROR} modifier?^`,
  when: TEXTS,
  container: `${COMMON} config? must* presence? ${SCOPE} ${OPERATIONS} ${DATA}`,
  list: `${COMMON} config? must* key? ordered-by? unique* ${LIMITS} ${SCOPE} ${OPERATIONS} ${DATA}`,
  leaf: `${COMMON} type! config? default? mandatory? must* units?`,
  'leaf-list': `${COMMON} type! config? default*^ must* ordered-by? units? ${LIMITS}`,
  choice: `${COMMON} config? default? mandatory? case* anydata*^ anyxml* choice*^ container* leaf* leaf-list* list*`,
  case: `${COMMON} ${DATA}`,
  anydata: `${COMMON} config? mandatory? must*`,
  anyxml: `${COMMON} config? mandatory? must*`,
  grouping: `${META} ${SCOPE} ${OPERATIONS} ${DATA}`,
  uses: `${COMMON} augment* refine*`,
  refine: `${TEXTS} config? default& if-feature*^ mandatory? must* presence? ${LIMITS}`,
  augment: `${COMMON} case* ${OPERATIONS} ${DATA}`,
  rpc: `${META} if-feature* input? output? ${SCOPE}`,
  action: `${META} if-feature* input? output? ${SCOPE}`,
  input: `must*^ ${SCOPE} ${DATA}`,
  output: `must*^ ${SCOPE} ${DATA}`,
  notification: `${META} if-feature* must*^ ${SCOPE} ${DATA}`,
  deviation: `deviate+ ${TEXTS}`,
  deviate: '',
};

/** Statements that may occur in each kind of `deviate` (RFC 7950 7.20.3.2). */
const DEVIATES: Readonly<Record<string, string>> = {
  'not-supported': '',
  add: `config? default* mandatory? must* unique* units? ${LIMITS}`,
  replace: `config? default* mandatory? type? units? ${LIMITS}`,
  delete: 'default* must* unique* units?',
};

/**
 * Returns the statements that may occur inside a statement with the keyword; undefined for an unknown
 * keyword.
 */
export function substatementsOf(
  keyword: string,
  argument: string,
): ReadonlyMap<string, Cardinality> | undefined {
  if (keyword === 'deviate') return DEVIATE_TABLES.get(argument) ?? new Map();
  return TABLES.get(keyword);
}

/** Returns true for every keyword of YANG. */
export function isKeyword(keyword: string): boolean {
  return TABLES.has(keyword) || LEAVES.has(keyword);
}

const COUNTS: Readonly<Record<string, Omit<Cardinality, 'since11'>>> = {
  '*': { least: 0, most: Infinity, many11: false },
  '+': { least: 1, most: Infinity, many11: false },
  '?': { least: 0, most: 1, many11: false },
  '!': { least: 1, most: 1, many11: false },
  '&': { least: 0, most: 1, many11: true },
};

function tableOf(written: string): ReadonlyMap<string, Cardinality> {
  return new Map(
    written
      .split(' ')
      .filter((word) => word !== '')
      .map(entryOf),
  );
}

function entryOf(word: string): readonly [string, Cardinality] {
  const [, keyword = '', count = '*', mark] = /^([a-z-]+)([*+?!&])(\^?)$/.exec(word) ?? [];
  return [keyword, { ...(COUNTS[count] ?? { least: 0, most: 0, many11: false }), since11: mark === '^' }];
}

const TABLES = new Map(Object.entries(GRAMMAR).map(([keyword, written]) => [keyword, tableOf(written)]));
const DEVIATE_TABLES = new Map(Object.entries(DEVIATES).map(([kind, written]) => [kind, tableOf(written)]));

/** Keywords that contain no other statement. */
const LEAVES = new Set([...TABLES.values()].flatMap((table) => [...table.keys()]));
