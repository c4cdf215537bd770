import type { DataNode } from '../document/data-node.js';
import type { YangModule } from '../modules/yang-module.js';
import type { NodeAccess } from './axes.js';
import type { Expression } from './expression.js';
import type { XPathValue } from './values.js';

/** What an expression needs from the data tree and from its statement. */
export interface EvaluationScope {
  /** Root of the document. */
  readonly root: DataNode;
  /** Node that `current()` returns. */
  readonly current: DataNode;
  /** Module of names without a prefix. */
  readonly module: string;
  /** Returns the name of the module of a prefix in the text of the expression. */
  readonly moduleOf: (prefix: string) => string | undefined;
  /** Returns the prefix of a module in the text of the expression; of a module that it does not import, the module's own. */
  readonly prefixOf: (module: YangModule) => string;
}

/** Data model functions of the evaluator. */
export interface DataAccess extends NodeAccess {
  /** Returns the nodes that the value of a leafref or instance-identifier refers to. */
  dereference(node: DataNode): readonly DataNode[];
  /** Returns the canonical form of a text as a value of a leaf; undefined if the text is no value. */
  canonicalText(node: DataNode, text: string, scope: EvaluationScope): string | undefined;
  /** Matches an XSD regular expression. */
  matchesPattern(pattern: string, text: string): boolean;
  /** Returns true if an identity is derived from another, both as `module:name`. */
  isDerived(identity: string, base: string): boolean;
}

/** Context of an expression (XPath 1.0 section 1). */
export interface XPathContext {
  readonly scope: EvaluationScope;
  readonly node: DataNode;
  readonly position: number;
  readonly size: number;
}

/** Evaluates expressions, for the functions that have expressions as arguments. */
export interface ExpressionEvaluator {
  readonly data: DataAccess;
  evaluate(expression: Expression, context: XPathContext): XPathValue;
  boolean(expression: Expression, context: XPathContext): boolean;
  number(expression: Expression, context: XPathContext): number;
  text(expression: Expression, context: XPathContext): string;
  /** Returns the nodes of a node set; no nodes for another value. */
  nodes(expression: Expression, context: XPathContext): readonly DataNode[];
}

/** Call of a function, with its arguments not evaluated yet. */
export interface FunctionCall {
  readonly evaluator: ExpressionEvaluator;
  readonly parameters: readonly Expression[];
  readonly context: XPathContext;
}

export type XPathFunction = (call: FunctionCall) => XPathValue;
