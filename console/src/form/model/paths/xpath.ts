import { labelOf } from '../field/options.js';
import { isStructure, type Json } from '../json/json.js';
import { type Trail, valuesOnPath } from './location-path.js';

/** The value of an expression; for a path, all selected values. Undefined if the form cannot evaluate it. */
type Value = string | boolean | readonly Json[] | undefined;

const TOKENS = /'[^']*'|"[^"]*"|!=|<=|>=|[=<>(),|+*]|\.\.|[^\s=!<>(),|+*'"]+(?:\(\)[^\s=!<>(),|+*'"]*)?/g;

/** Longer expressions, and comparisons of more pairs than this, are left to the server. */
const MOST_TOKENS = 500;
const MOST_PAIRS = 100_000;

/**
 * Evaluates the subset of XPath that most conditions use: paths, strings, `=`, `!=`, `and`, `or`, `not()`,
 * `boolean()`, `derived-from-or-self()`. Undefined for anything else; then editing stays possible.
 */
export function evaluateXpath(xpath: string, trail: Trail): boolean | undefined {
  // Predicates select entries, which this evaluator does not support.
  if (xpath.includes('[')) return undefined;
  const tokens = xpath.match(TOKENS) ?? [];
  if (tokens.length > MOST_TOKENS) return undefined;
  const reader = new Reader(tokens, trail);
  const value = reader.or();
  return reader.isAtEnd ? truth(value) : undefined;
}

function truth(value: Value): boolean | undefined {
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' ? value.length > 0 : value;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #trail: Trail;
  #at = 0;

  constructor(tokens: readonly string[], trail: Trail) {
    this.#tokens = tokens;
    this.#trail = trail;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  or(): Value {
    let left = this.#and();
    while (this.#skip('or')) {
      const [a, b] = [truth(left), truth(this.#and())];
      left = a === true || b === true ? true : a === false && b === false ? false : undefined;
    }
    return left;
  }

  #and(): Value {
    let left = this.#comparison();
    while (this.#skip('and')) {
      const [a, b] = [truth(left), truth(this.#comparison())];
      left = a === false || b === false ? false : a === true && b === true ? true : undefined;
    }
    return left;
  }

  #comparison(): Value {
    const left = this.#operand();
    const operator = ['=', '!='].find((mark) => this.#skip(mark));
    return operator === undefined ? left : compared(left, this.#operand(), operator === '=');
  }

  #operand(): Value {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    this.#at += 1;
    if (token === '(') return this.#closed(this.or());
    if (/^['"]/.test(token)) return token.slice(1, -1);
    if (/^-?[0-9.]+$/.test(token) && token !== '.' && token !== '..') return token;
    if (this.#skip('(')) return this.#call(token);
    return valuesOnPath(this.#path(token), this.#trail);
  }

  /** `..` is a separate token, so a path may consist of several tokens. */
  #path(token: string): string {
    let path = token;
    for (
      let next = this.#tokens[this.#at];
      next !== undefined && /^(?:\/|\.\.$)/.test(next) && /(?:\.\.|\/)$/.test(path);
      next = this.#tokens[this.#at]
    ) {
      path += next;
      this.#at += 1;
    }
    return path;
  }

  #call(name: string): Value {
    const values: Value[] = [];
    if (this.#tokens[this.#at] !== ')') {
      do values.push(this.or());
      while (this.#skip(','));
    }
    return this.#closed(called(name, values));
  }

  #closed(value: Value): Value {
    return this.#skip(')') ? value : undefined;
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

function called(name: string, [first, second]: readonly Value[]): Value {
  const value = truth(first);
  switch (name) {
    case 'not':
      return value === undefined ? undefined : !value;
    case 'boolean':
      return value;
    case 'true':
      return true;
    case 'false':
      return false;
    case 'derived-from-or-self':
      // Other identities may be derived from the named one, but only equality can be decided here.
      return compared(first, second, true) === true ? true : isEmpty(first) ? false : undefined;
    default:
      return undefined;
  }
}

function isEmpty(value: Value): boolean {
  return typeof value === 'object' && value.length === 0;
}

/** Compares as XPath does: true as soon as one pair of values is equal (or different). */
function compared(left: Value, right: Value, equal: boolean): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === 'boolean' || typeof right === 'boolean')
    return (truth(left) === truth(right)) === equal;
  const [a, b] = [textsOf(left), textsOf(right)];
  if (a.length * b.length > MOST_PAIRS) return undefined;
  return a.some((one) => b.some((other) => isSame(one, other) === equal));
}

function textsOf(value: string | readonly Json[]): readonly string[] {
  return typeof value === 'string' ? [value] : value.filter((one) => !isStructure(one)).map(labelOf);
}

/** True for the same identity, written with or without the name of its module. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const both = a.includes(':') && b.includes(':');
  return !both && a.replace(/^[\w.-]+:/, '') === b.replace(/^[\w.-]+:/, '');
}
