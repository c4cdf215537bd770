import { type FaultList, InvalidYang } from '../diagnostic.js';
import type { Names, YangModule } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import type { Statement } from '../syntax/statement.js';
import type { Expression, PathExpression } from './expression.js';

/** Statement of an expression, and what its names refer to. */
interface ExpressionPlace {
  readonly statement: Statement;
  /** Modules in which a name without a prefix may be: that of the text, and that of the node with the condition. */
  readonly modules: readonly YangModule[];
  readonly names: Names;
  readonly faults: FaultList;
}

/** Static type of an expression (XPath 1.0 section 1). */
type StaticType = 'node set' | 'string' | 'number' | 'Boolean';

/** Functions whose first argument must be a node set, if they have one. */
const FUNCTIONS_OF_NODES: ReadonlySet<string> = new Set([
  'count',
  'sum',
  'local-name',
  'namespace-uri',
  'name',
  'deref',
  'derived-from',
  'derived-from-or-self',
  'enum-value',
  'bit-is-set',
]);

const RESULT_TYPES: Readonly<Record<StaticType, readonly string[]>> = {
  'node set': ['id', 'current', 'deref'],
  number: [
    'last',
    'position',
    'count',
    'string-length',
    'number',
    'sum',
    'floor',
    'ceiling',
    'round',
    'enum-value',
  ],
  Boolean: [
    'starts-with',
    'contains',
    'boolean',
    'not',
    'true',
    'false',
    'lang',
    're-match',
    'derived-from',
    'derived-from-or-self',
    'bit-is-set',
  ],
  // All other functions.
  string: [],
};

/**
 * Checks what can be known of a parsed expression without data. Throws InvalidYang for a value where a node set is
 * needed, and for an unknown prefix of an identity. Warns of an unknown identity and of an invalid pattern, with which a
 * condition is always false.
 */
export function checkExpression(expression: Expression, place: ExpressionPlace): void {
  new ExpressionCheck(place).typeOf(expression);
}

type BinaryExpression = Extract<Expression, { kind: 'binary' }>;

/** Types of the operators whose result is not Boolean. */
const TYPES_OF_OPERATORS: ReadonlyMap<string, StaticType> = new Map([
  ['|', 'node set'],
  ['+', 'number'],
  ['-', 'number'],
  ['*', 'number'],
  ['div', 'number'],
  ['mod', 'number'],
]);

class ExpressionCheck {
  readonly #place: ExpressionPlace;

  constructor(place: ExpressionPlace) {
    this.#place = place;
  }

  /** Returns the type of an expression, and checks the expressions inside. */
  typeOf(expression: Expression): StaticType {
    switch (expression.kind) {
      case 'number':
        return 'number';
      case 'literal':
        return 'string';
      case 'negate':
        this.typeOf(expression.operand);
        return 'number';
      case 'binary':
        return this.#binary(expression);
      case 'call':
        return this.#call(expression);
      case 'path':
        return this.#path(expression);
    }
  }

  /** Checks a chain of operators without recursion, because it may have thousands of operands. */
  #binary(expression: BinaryExpression): StaticType {
    const chain: BinaryExpression[] = [];
    let first: Expression = expression;
    for (; first.kind === 'binary'; first = first.left) chain.push(first);
    return chain.reduceRight((left, { operator, right }) => {
      const types = [left, this.typeOf(right)];
      if (operator === '|') for (const type of types) this.#requireNodes(type, 'an operand of "|"');
      return TYPES_OF_OPERATORS.get(operator) ?? 'Boolean';
    }, this.typeOf(first));
  }

  #path({ start, predicates, steps }: PathExpression): StaticType {
    if (typeof start === 'object') this.#requireNodes(this.typeOf(start), 'what a predicate or "/" follows');
    for (const predicate of predicates) this.typeOf(predicate);
    for (const step of steps) for (const predicate of step.predicates) this.typeOf(predicate);
    return 'node set';
  }

  #call({ name, parameters }: Extract<Expression, { kind: 'call' }>): StaticType {
    const types = parameters.map((parameter) => this.typeOf(parameter));
    const [first] = types;
    if (first && FUNCTIONS_OF_NODES.has(name)) this.#requireNodes(first, `the first argument of "${name}"`);
    const [, second] = parameters;
    if (second?.kind === 'literal') {
      if (name === 're-match') this.#checkPattern(second.value);
      if (name.startsWith('derived-from')) this.#checkIdentity(name, second.value);
    }
    if (name === 'deref') this.#checkVersion(name);
    return TYPES_OF_FUNCTIONS.get(name) ?? 'string';
  }

  #requireNodes(type: StaticType, what: string): void {
    if (type !== 'node set') throw this.#invalid(`${what} must be a node set, not a ${type}`);
  }

  #checkPattern(pattern: string): void {
    const { fault } = translatePattern({ ...this.#place.statement, argument: pattern });
    if (fault) this.#warn(`${fault.message}; no value matches it`);
  }

  #checkIdentity(name: string, identity: string): void {
    const { names, statement, modules } = this.#place;
    const colon = identity.indexOf(':');
    const found = colon < 0 ? modules : [names.resolve(statement, identity).module];
    const local = identity.slice(colon + 1);
    if (!found.some(({ definitions }) => definitions.identity.has(local)))
      this.#warn(`there is no identity "${identity}", so ${name}() is always false`);
  }

  /** Warns of a function that YANG 1.0 does not have and that all compilers know. */
  #checkVersion(name: string): void {
    const { names, statement } = this.#place;
    if (names.unitOf(statement).version === '1')
      this.#warn(`the function "${name}" needs "yang-version 1.1"`);
  }

  #warn(message: string): void {
    const { faults, statement } = this.#place;
    faults.warn(statement, 'RFC 7950 6.4', `${statement.keyword}: ${message}`);
  }

  #invalid(message: string): InvalidYang {
    const { statement } = this.#place;
    return new InvalidYang(statement, 'RFC 7950 6.4', `${statement.keyword}: ${message}`);
  }
}

const TYPES_OF_FUNCTIONS: ReadonlyMap<string, StaticType> = new Map(
  (Object.entries(RESULT_TYPES) as [StaticType, readonly string[]][]).flatMap(([type, functions]) =>
    functions.map((name) => [name, type]),
  ),
);
