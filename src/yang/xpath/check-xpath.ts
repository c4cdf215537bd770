import { InvalidYang } from '../diagnostic.js';
import type { Names } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import { prefixOf, type Token, tokensOf, unexpected } from './tokens.js';

/** Checks the XPath expression of a `when` or `must`: its grammar, its functions and its prefixes. */
export function checkXPath(statement: Statement, names: Names): void {
  const tokens = tokensOf(statement);
  new XPathCheck(statement, tokens).check();
  for (const token of tokens) {
    const prefix = prefixOf(token);
    if (prefix !== undefined && !names.moduleOf(statement, prefix))
      throw new InvalidYang(
        statement,
        'RFC 7950 6.4.1',
        `the prefix "${prefix}" refers to no imported module`,
      );
  }
}

/**
 * Functions of XPath 1.0 and YANG (RFC 7950 section 10), with their minimum and maximum number of arguments.
 */
const FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
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

const NODE_TYPES = new Set(['node', 'text', 'comment', 'processing-instruction']);
const AXES = new Set([
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
]);

/** Maximum nesting of parentheses and predicates. */
const MAX_DEPTH = 100;

const BINARY_OPERATORS = new Set([
  'or',
  'and',
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '+',
  '-',
  '*',
  'div',
  'mod',
  '|',
]);

class XPathCheck {
  readonly #statement: Statement;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(statement: Statement, tokens: readonly Token[]) {
    this.#statement = statement;
    this.#tokens = tokens;
  }

  check(): void {
    this.#expression();
    if (this.#at < this.#tokens.length) throw this.#unexpected();
  }

  // The precedence of operators does not matter for a check of the grammar.
  #expression(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new InvalidYang(this.#statement, 'limit', 'the expression is nested too deep');
    this.#operand();
    while (BINARY_OPERATORS.has(this.#text())) {
      this.#at += 1;
      this.#operand();
    }
    this.#depth -= 1;
  }

  #operand(): void {
    while (this.#take('-'));
    const token = this.#tokens[this.#at];
    if (!token) throw this.#unexpected();
    if (this.#isPrimary(token)) {
      this.#primary(token);
      while (this.#text() === '[') this.#predicate();
      if (this.#take('/') || this.#take('//')) this.#relativePath();
    } else this.#path();
  }

  #isPrimary(token: Token): boolean {
    if (token.kind === 'literal' || token.kind === 'number' || token.kind === 'variable') return true;
    return (
      token.text === '(' || (token.kind === 'name' && this.#text(1) === '(' && !NODE_TYPES.has(token.text))
    );
  }

  #primary(token: Token): void {
    this.#at += 1;
    if (token.text === '(') {
      this.#expression();
      this.#expect(')');
    } else if (token.kind === 'name') this.#call(token);
  }

  #call(name: Token): void {
    const arity = Object.hasOwn(FUNCTIONS, name.text) ? FUNCTIONS[name.text] : undefined;
    if (!arity) throw this.#invalid(`there is no function "${name.text}"`);
    this.#expect('(');
    let count = 0;
    if (!this.#take(')')) {
      do {
        this.#expression();
        count += 1;
      } while (this.#take(','));
      this.#expect(')');
    }
    if (count < arity[0] || count > arity[1])
      throw this.#invalid(`"${name.text}" cannot have ${count} arguments`);
  }

  #path(): void {
    if (this.#take('/')) {
      if (this.#startsStep()) this.#relativePath();
    } else {
      this.#take('//');
      this.#relativePath();
    }
  }

  #relativePath(): void {
    do this.#step();
    while (this.#take('/') || this.#take('//'));
  }

  #startsStep(): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'name' ? true : ['.', '..', '@', '*'].includes(token?.text ?? '');
  }

  #step(): void {
    if (this.#take('.') || this.#take('..')) {
      while (this.#text() === '[') this.#predicate();
      return;
    }
    if (!this.#take('@') && this.#text(1) === '::') {
      if (!AXES.has(this.#text())) throw this.#unexpected();
      this.#at += 2;
    }
    this.#nodeTest();
    while (this.#text() === '[') this.#predicate();
  }

  #nodeTest(): void {
    if (this.#take('*')) return;
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') throw this.#unexpected();
    this.#at += 1;
    if (!NODE_TYPES.has(token.text) || !this.#take('(')) return;
    if (this.#tokens[this.#at]?.kind === 'literal') this.#at += 1;
    this.#expect(')');
  }

  #predicate(): void {
    this.#expect('[');
    this.#expression();
    this.#expect(']');
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
