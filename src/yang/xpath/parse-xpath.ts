import { InvalidYang } from '../diagnostic.js';
import type { Names } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import {
  AXES,
  type Axis,
  type BinaryOperator,
  type Expression,
  FUNCTION_ARITIES,
  FUNCTIONS_OF_VERSION_11,
  NODE_TYPES,
  type NodeTest,
  OPERATOR_LEVELS,
  type PathExpression,
  type Step,
} from './expression.js';
import { prefixOf, type Token, tokensOf, unexpected } from './tokens.js';

/** Maximum nesting of parentheses, predicates and arguments. */
const MAX_DEPTH = 100;

const expressions = new WeakMap<Statement, Expression>();

/**
 * Parses the XPath expression in the argument of a statement: its grammar, its functions and its prefixes. Parses
 * each statement once. Throws InvalidYang.
 */
export function parseXPath(statement: Statement, names: Names): Expression {
  let expression = expressions.get(statement);
  if (!expression) expressions.set(statement, (expression = new XPathParser(statement, names).parse()));
  return expression;
}

const DESCENDANTS: Step = {
  axis: 'descendant-or-self',
  test: { kind: 'type', type: 'node' },
  predicates: [],
};

/** Recursive descent parser (XPath 1.0 section 3). */
const NO_PREDICATES: readonly Expression[] = [];

class XPathParser {
  readonly #statement: Statement;
  readonly #names: Names;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(statement: Statement, names: Names) {
    this.#statement = statement;
    this.#names = names;
    this.#tokens = tokensOf(statement);
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return expression;
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new InvalidYang(this.#statement, 'limit', 'the expression is nested too deep');
    const expression = this.#binary(0);
    this.#depth -= 1;
    return expression;
  }

  #binary(level: number): Expression {
    const operators: readonly BinaryOperator[] | undefined = OPERATOR_LEVELS[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((symbol) => symbol === this.#text());
      if (!operator) return left;
      this.#at += 1;
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    }
  }

  #unary(): Expression {
    let negations = 0;
    while (this.#take('-')) negations += 1;
    let operand = this.#union();
    // Two negations convert to a number, as one does, and two more change nothing.
    const count = negations === 0 ? 0 : 2 - (negations % 2);
    for (let at = 0; at < count; at += 1) operand = { kind: 'negate', operand };
    return operand;
  }

  #union(): Expression {
    let left = this.#operand();
    while (this.#take('|')) left = { kind: 'binary', operator: '|', left, right: this.#operand() };
    return left;
  }

  #operand(): Expression {
    const token = this.#tokens[this.#at];
    if (!token) throw this.#unexpected();
    if (!this.#isPrimary(token)) return this.#path();
    const start = this.#primary(token);
    const predicates = this.#predicates();
    const steps = this.#text() === '/' || this.#text() === '//' ? this.#steps([]) : [];
    if (predicates.length === 0 && steps.length === 0) return start;
    return { kind: 'path', start, predicates, steps, isFixed: false };
  }

  #isPrimary({ kind, text }: Token): boolean {
    if (kind === 'literal' || kind === 'number' || kind === 'variable') return true;
    return text === '(' || (kind === 'name' && this.#text(1) === '(' && !isNodeType(text));
  }

  #primary({ kind, text }: Token): Expression {
    this.#at += 1;
    switch (kind) {
      case 'literal':
        return { kind, value: text.slice(1, -1) };
      case 'number':
        return { kind, value: Number(text) };
      case 'variable':
        throw this.#invalid(`YANG has no variables such as "${text}"`);
      case 'name':
        return this.#call(text);
      case 'symbol': {
        const expression = this.#expression();
        this.#expect(')');
        return expression;
      }
    }
  }

  #call(name: string): Expression {
    const arity = Object.hasOwn(FUNCTION_ARITIES, name) ? FUNCTION_ARITIES[name] : undefined;
    if (!arity) throw this.#invalid(`there is no function "${name}"`);
    if (
      FUNCTIONS_OF_VERSION_11.has(name) &&
      name !== 'deref' &&
      this.#names.unitOf(this.#statement).version === '1'
    )
      throw this.#invalid(`the function "${name}" needs "yang-version 1.1"`);
    this.#expect('(');
    const parameters: Expression[] = [];
    if (!this.#take(')')) {
      do parameters.push(this.#expression());
      while (this.#take(','));
      this.#expect(')');
    }
    if (parameters.length < arity[0] || parameters.length > arity[1])
      throw this.#invalid(`"${name}" cannot have ${parameters.length} arguments`);
    return { kind: 'call', name, parameters };
  }

  #path(): PathExpression {
    const isAbsolute = this.#text() === '/' || this.#text() === '//';
    const start = isAbsolute ? 'root' : 'context';
    const isRootAlone = this.#text() === '/' && !this.#startsStep(1);
    if (isRootAlone) this.#at += 1;
    const steps = isRootAlone ? [] : this.#steps(isAbsolute ? [] : [this.#step()]);
    const isFixed = isAbsolute && !steps.some((step) => step.predicates.some(usesCurrent));
    return { kind: 'path', start, predicates: [], steps, isFixed };
  }

  /** Parses the steps that follow, each after its `/` or `//`, and adds them to those before. */
  #steps(steps: Step[]): readonly Step[] {
    for (;;) {
      if (this.#take('//')) steps.push(DESCENDANTS);
      else if (!this.#take('/')) return steps;
      steps.push(this.#step());
    }
  }

  #startsStep(ahead: number): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === 'name' ? true : ['.', '..', '@', '*'].includes(token?.text ?? '');
  }

  #step(): Step {
    if (this.#take('.')) return this.#abbreviatedStep('self');
    if (this.#take('..')) return this.#abbreviatedStep('parent');
    let axis: Axis = 'child';
    if (this.#take('@')) axis = 'attribute';
    else if (this.#text(1) === '::') {
      const named = AXES.find((name) => name === this.#text());
      if (!named) throw this.#unexpected();
      axis = named;
      this.#at += 2;
    }
    return { axis, test: this.#nodeTest(), predicates: this.#predicates() };
  }

  // XPath 1.0 has no predicates after `.` and `..`, but published modules have them, and libyang accepts them.
  #abbreviatedStep(axis: Axis): Step {
    return { axis, test: { kind: 'type', type: 'node' }, predicates: this.#predicates() };
  }

  #nodeTest(): NodeTest {
    if (this.#take('*')) return { kind: 'name', module: '*', name: '*' };
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') throw this.#unexpected();
    this.#at += 1;
    const type = NODE_TYPES.find((name) => name === token.text);
    if (!type || !this.#take('(')) return this.#nameTest(token);
    if (this.#tokens[this.#at]?.kind === 'literal') this.#at += 1;
    this.#expect(')');
    return { kind: 'type', type };
  }

  #nameTest(token: Token): NodeTest {
    const prefix = prefixOf(token);
    if (prefix === undefined) return { kind: 'name', module: undefined, name: token.text };
    const module = this.#names.moduleOf(this.#statement, prefix);
    if (!module)
      throw new InvalidYang(
        this.#statement,
        'RFC 7950 6.4.1',
        `the prefix "${prefix}" refers to no imported module`,
      );
    return { kind: 'name', module: module.name, name: token.text.slice(prefix.length + 1) };
  }

  #predicates(): readonly Expression[] {
    if (this.#text() !== '[') return NO_PREDICATES;
    const predicates: Expression[] = [];
    while (this.#take('[')) {
      predicates.push(this.#expression());
      this.#expect(']');
    }
    return predicates;
  }

  #text(ahead = 0): string {
    const token = this.#tokens[this.#at + ahead];
    return token === undefined || token.kind === 'literal' ? '' : token.text;
  }

  #take(symbol: string): boolean {
    if (this.#text() !== symbol) return false;
    this.#at += 1;
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#take(symbol)) throw this.#unexpected();
  }

  #unexpected(): InvalidYang {
    return unexpected(this.#statement, this.#tokens[this.#at]?.at ?? this.#statement.argument.length);
  }

  #invalid(message: string): InvalidYang {
    return new InvalidYang(this.#statement, 'RFC 7950 6.4', `${this.#statement.keyword}: ${message}`);
  }
}

function isNodeType(text: string): boolean {
  return NODE_TYPES.some((type) => type === text);
}

/** Returns true if the value of an expression depends on `current()`. */
function usesCurrent(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'literal':
      return false;
    case 'negate':
      return usesCurrent(expression.operand);
    case 'binary':
      return usesCurrent(expression.left) || usesCurrent(expression.right);
    case 'call':
      return expression.name === 'current' || expression.parameters.some(usesCurrent);
    case 'path': {
      const { start, predicates, steps } = expression;
      if (typeof start === 'object' && usesCurrent(start)) return true;
      return [...predicates, ...steps.flatMap((step) => step.predicates)].some(usesCurrent);
    }
  }
}
