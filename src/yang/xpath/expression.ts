/** Parsed XPath 1.0 expression. A name in the expression has its module in place of its prefix. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'literal'; readonly value: string }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | CallExpression
  | PathExpression;

interface CallExpression {
  readonly kind: 'call';
  readonly name: string;
  readonly parameters: readonly Expression[];
}

/** Location path, or a filter expression with the steps that follow it. */
export interface PathExpression {
  readonly kind: 'path';
  /** `root` for an absolute path, `context` for a relative path, or the filtered expression. */
  readonly start: 'root' | 'context' | Expression;
  /** Predicates of a filtered expression. */
  readonly predicates: readonly Expression[];
  readonly steps: readonly Step[];
  /**
   * True for an absolute path without `current()`. Its value is the same in every context of one module.
   */
  readonly isFixed: boolean;
}

export interface Step {
  readonly axis: Axis;
  readonly test: NodeTest;
  readonly predicates: readonly Expression[];
}

export type NodeTest =
  /** A name; `*` matches every name. Without a module, the name belongs to the module of the context. */
  | { readonly kind: 'name'; readonly module: string | undefined; readonly name: string }
  | { readonly kind: 'type'; readonly type: NodeType };

export const NODE_TYPES = ['node', 'text', 'comment', 'processing-instruction'] as const;

type NodeType = (typeof NODE_TYPES)[number];

export const AXES = [
  'ancestor',
  'ancestor-or-self',
  'attribute',
  'child',
  'descendant',
  'descendant-or-self',
  'following',
  'following-sibling',
  'namespace',
  'parent',
  'preceding',
  'preceding-sibling',
  'self',
] as const;

export type Axis = (typeof AXES)[number];

/** Operators in order of precedence, the weakest first (XPath 1.0 section 3.5). */
export const OPERATOR_LEVELS = [
  ['or'],
  ['and'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
] as const;

export type BinaryOperator = (typeof OPERATOR_LEVELS)[number][number] | '|';

/**
 * Functions of XPath 1.0 and YANG (RFC 7950 section 10), with their minimum and maximum number of arguments.
 */
export const FUNCTION_ARITIES: Readonly<Record<string, readonly [number, number]>> = {
  last: [0, 0],
  position: [0, 0],
  count: [1, 1],
  id: [1, 1],
  'local-name': [0, 1],
  'namespace-uri': [0, 1],
  name: [0, 1],
  string: [0, 1],
  concat: [2, Infinity],
  'starts-with': [2, 2],
  contains: [2, 2],
  'substring-before': [2, 2],
  'substring-after': [2, 2],
  substring: [2, 3],
  'string-length': [0, 1],
  'normalize-space': [0, 1],
  translate: [3, 3],
  boolean: [1, 1],
  not: [1, 1],
  true: [0, 0],
  false: [0, 0],
  lang: [1, 1],
  number: [0, 1],
  sum: [1, 1],
  floor: [1, 1],
  ceiling: [1, 1],
  round: [1, 1],
  current: [0, 0],
  're-match': [2, 2],
  deref: [1, 1],
  'derived-from': [2, 2],
  'derived-from-or-self': [2, 2],
  'enum-value': [1, 1],
  'bit-is-set': [2, 2],
};

/** Functions that YANG 1.0 does not have (RFC 7950 section 1.1). */
export const FUNCTIONS_OF_VERSION_11: ReadonlySet<string> = new Set([
  're-match',
  'deref',
  'derived-from',
  'derived-from-or-self',
  'enum-value',
  'bit-is-set',
]);
