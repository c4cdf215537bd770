import type { DataNode } from '../document/data-node.js';
import { nodesOn, REVERSE_AXES } from './axes.js';
import type {
  DataAccess,
  EvaluationScope,
  ExpressionEvaluator,
  FunctionCall,
  XPathContext,
} from './context.js';
import type { BinaryOperator, Expression, PathExpression, Step } from './expression.js';
import { XPATH_FUNCTIONS } from './functions.js';
import { KeyIndexes } from './key-index.js';
import {
  compareNumbers,
  type Comparison,
  isNodeSet,
  type Scalar,
  textOf,
  toBoolean,
  toNumber,
  toText,
  type XPathValue,
} from './values.js';
import { YANG_FUNCTIONS } from './yang-functions.js';

/** Evaluates parsed expressions on one data tree. */
export class Evaluator implements ExpressionEvaluator {
  readonly data: DataAccess;
  readonly #indexes: KeyIndexes;
  readonly #fixed = new Map<PathExpression, Map<string, readonly DataNode[]>>();

  constructor(data: DataAccess) {
    this.data = data;
    this.#indexes = new KeyIndexes(data);
  }

  evaluate(expression: Expression, context: XPathContext): XPathValue {
    this.data.budget.spend(1);
    switch (expression.kind) {
      case 'number':
      case 'literal':
        return expression.value;
      case 'negate':
        return -this.number(expression.operand, context);
      case 'binary':
        return this.#binary(expression, context);
      case 'call':
        return this.#call(expression, context);
      case 'path':
        return this.#path(expression, context);
    }
  }

  boolean(expression: Expression, context: XPathContext): boolean {
    return toBoolean(this.evaluate(expression, context));
  }

  number(expression: Expression, context: XPathContext): number {
    return toNumber(this.evaluate(expression, context), this.data.budget);
  }

  text(expression: Expression, context: XPathContext): string {
    const text = toText(this.evaluate(expression, context), this.data.budget);
    this.data.budget.spend(text.length >> 6);
    return text;
  }

  nodes(expression: Expression, context: XPathContext): readonly DataNode[] {
    const value = this.evaluate(expression, context);
    return isNodeSet(value) ? value : [];
  }

  #call(expression: Extract<Expression, { kind: 'call' }>, context: XPathContext): XPathValue {
    const { name, parameters } = expression;
    const call: FunctionCall = { evaluator: this, parameters, context };
    const run = XPATH_FUNCTIONS[name] ?? YANG_FUNCTIONS[name];
    if (!run) throw new Error(`no function ${name}`);
    return run(call);
  }

  #binary(
    { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
    context: XPathContext,
  ): XPathValue {
    switch (operator) {
      case 'or':
        return this.boolean(left, context) || this.boolean(right, context);
      case 'and':
        return this.boolean(left, context) && this.boolean(right, context);
      case '|':
        return this.#inOrder([...this.nodes(left, context), ...this.nodes(right, context)]);
      case '+':
      case '-':
      case '*':
      case 'div':
      case 'mod':
        return calculate(operator, this.number(left, context), this.number(right, context));
      default:
        return this.#compare(
          operator,
          [this.evaluate(left, context), this.evaluate(right, context)],
          context.scope,
        );
    }
  }

  /** Compares values (XPath 1.0 section 3.4). */
  #compare(
    operator: Comparison,
    [left, right]: readonly [XPathValue, XPathValue],
    scope: EvaluationScope,
  ): boolean {
    if (isNodeSet(left))
      return isNodeSet(right)
        ? this.#compareNodeSets(operator, left, right)
        : this.#compareWithNodes(operator, { nodes: left, other: right }, scope);
    if (isNodeSet(right))
      return this.#compareWithNodes(MIRRORED[operator], { nodes: right, other: left }, scope);
    const { budget } = this.data;
    if (operator !== '=' && operator !== '!=')
      return compareNumbers(operator, toNumber(left, budget), toNumber(right, budget));
    const isEqual =
      typeof left === 'boolean' || typeof right === 'boolean'
        ? toBoolean(left) === toBoolean(right)
        : typeof left === 'number' || typeof right === 'number'
          ? toNumber(left, budget) === toNumber(right, budget)
          : left === right;
    return isEqual === (operator === '=');
  }

  #compareNodeSets(operator: Comparison, left: readonly DataNode[], right: readonly DataNode[]): boolean {
    const { budget } = this.data;
    if (operator === '=' || operator === '!=') {
      const texts = new Set(right.map((node) => textOf(node, budget)));
      return left.some((node) => {
        const text = textOf(node, budget);
        return operator === '=' ? texts.has(text) : texts.size > 1 || (texts.size === 1 && !texts.has(text));
      });
    }
    const numbers = right.map((node) => toNumber([node], budget)).filter((value) => !Number.isNaN(value));
    if (numbers.length === 0) return false;
    // Only the smallest or the largest number matters.
    const isLess = operator === '<' || operator === '<=';
    const bound = numbers.reduce((a, b) => (isLess === a > b ? a : b));
    return left.some((node) => compareNumbers(operator, toNumber([node], budget), bound));
  }

  #compareWithNodes(
    operator: Comparison,
    { nodes, other }: { readonly nodes: readonly DataNode[]; readonly other: Scalar },
    scope: EvaluationScope,
  ): boolean {
    const { budget } = this.data;
    if (typeof other === 'boolean') return compareNumbers(operator, Number(nodes.length > 0), Number(other));
    if (typeof other === 'number' || (operator !== '=' && operator !== '!=')) {
      const bound = toNumber(other, budget);
      return nodes.some((node) => compareNumbers(operator, toNumber([node], budget), bound));
    }
    return nodes.some((node) => {
      const text = node.isLeaf ? (this.data.canonicalText(node, other, scope) ?? other) : other;
      return (textOf(node, budget) === text) === (operator === '=');
    });
  }

  #path(path: PathExpression, context: XPathContext): XPathValue {
    if (path.isFixed) return this.#fixedPath(path, context);
    return this.#followPath(path, context);
  }

  /** Evaluates an absolute path once per module. */
  #fixedPath(path: PathExpression, context: XPathContext): readonly DataNode[] {
    const { module } = context.scope;
    const byModule = this.#fixed.get(path) ?? new Map<string, readonly DataNode[]>();
    this.#fixed.set(path, byModule);
    const known = byModule.get(module);
    if (known) return known;
    const nodes = this.#followPath(path, context);
    byModule.set(module, nodes);
    return nodes;
  }

  #followPath({ start, predicates, steps }: PathExpression, context: XPathContext): readonly DataNode[] {
    let nodes: readonly DataNode[] =
      start === 'root'
        ? [context.scope.root]
        : start === 'context'
          ? [context.node]
          : this.nodes(start, context);
    for (const predicate of predicates) nodes = this.#filter(nodes, predicate, context);
    for (const step of steps) nodes = this.#step(nodes, step, context);
    return nodes;
  }

  #step(nodes: readonly DataNode[], step: Step, context: XPathContext): readonly DataNode[] {
    const { scope } = context;
    const found = nodes.map((node) => {
      const indexed = this.#indexes.find(node, step, { evaluator: this, context });
      let candidates = indexed?.nodes ?? nodesOn(step, node, { module: scope.module, access: this.data });
      for (const predicate of indexed?.predicates ?? step.predicates)
        candidates = this.#filter(candidates, predicate, context);
      return candidates;
    });
    const [only = []] = found;
    if (found.length <= 1) return REVERSE_AXES.has(step.axis) ? [...only].reverse() : only;
    return this.#inOrder(found.flat());
  }

  #filter(nodes: readonly DataNode[], predicate: Expression, { scope }: XPathContext): readonly DataNode[] {
    if (predicate.kind === 'number') {
      const node = nodes[predicate.value - 1];
      return node ? [node] : [];
    }
    return nodes.filter((node, at) => {
      const position = at + 1;
      const value = this.evaluate(predicate, { scope, node, position, size: nodes.length });
      return typeof value === 'number' ? value === position : toBoolean(value);
    });
  }

  /** Returns the nodes in document order, each once. */
  #inOrder(nodes: readonly DataNode[]): readonly DataNode[] {
    this.data.budget.spend(nodes.length);
    if (nodes.every((node, at) => at === 0 || (nodes[at - 1]?.order ?? 0) < node.order)) return nodes;
    return [...new Set(nodes)].sort((a, b) => a.order - b.order);
  }
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function calculate(
  operator: Extract<BinaryOperator, '+' | '-' | '*' | 'div' | 'mod'>,
  left: number,
  right: number,
): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case 'div':
      return left / right;
    case 'mod':
      return left % right;
  }
}
