import { pointerTokens } from '../../../../../src/json/pointer.js';
import { labelOf } from '../field/options.js';
import { childOf, isList, isMembers, isStructure, type Json } from '../json/json.js';

/** The value of an expression; for a path, all selected values. Undefined if the form cannot evaluate it. */
type Value = string | boolean | readonly Json[] | undefined;

const TOKENS = /'[^']*'|"[^"]*"|!=|<=|>=|[=<>(),|+*]|\.\.|[^\s=!<>(),|+*'"]+(?:\(\)[^\s=!<>(),|+*'"]*)?/g;

/** Maximum number of tokens in an expression; the server evaluates longer expressions. */
const MAX_TOKENS = 500;
/** Maximum number of value pairs in a comparison. */
const MAX_PAIRS = 100_000;

/**
 * Evaluates the subset of XPath that most conditions use: paths, strings, `=`, `!=`, `and`, `or`, `not()`,
 * `boolean()`, `derived-from-or-self()`. Returns undefined for any other expression; the field stays editable.
 */
export function evaluateXpath(xpath: string, trail: Trail): boolean | undefined {
  // Predicates select entries, which this evaluator does not support.
  if (xpath.includes('[')) return undefined;
  const tokens = xpath.match(TOKENS) ?? [];
  if (tokens.length > MAX_TOKENS) return undefined;
  const evaluator = new Evaluator(tokens, trail);
  const value = evaluator.or();
  return evaluator.isAtEnd ? booleanOf(value) : undefined;
}

function booleanOf(value: Value): boolean | undefined {
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' ? value.length > 0 : value;
}

class Evaluator {
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
      const [a, b] = [booleanOf(left), booleanOf(this.#and())];
      left = a === true || b === true ? true : a === false && b === false ? false : undefined;
    }
    return left;
  }

  #and(): Value {
    let left = this.#comparison();
    while (this.#skip('and')) {
      const [a, b] = [booleanOf(left), booleanOf(this.#comparison())];
      left = a === false || b === false ? false : a === true && b === true ? true : undefined;
    }
    return left;
  }

  #comparison(): Value {
    const left = this.#operand();
    const operator = ['=', '!='].find((symbol) => this.#skip(symbol));
    return operator === undefined ? left : comparisonResult(left, this.#operand(), operator === '=');
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
    return this.#closed(functionResult(name, values));
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

function functionResult(name: string, [first, second]: readonly Value[]): Value {
  const value = booleanOf(first);
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
      return comparisonResult(first, second, true) === true ? true : isEmpty(first) ? false : undefined;
    default:
      return undefined;
  }
}

function isEmpty(value: Value): boolean {
  return typeof value === 'object' && value.length === 0;
}

/** Compares two values as XPath does: true if any pair of values is equal (or different). */
function comparisonResult(left: Value, right: Value, equal: boolean): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === 'boolean' || typeof right === 'boolean')
    return (booleanOf(left) === booleanOf(right)) === equal;
  const [a, b] = [textsOf(left), textsOf(right)];
  if (a.length * b.length > MAX_PAIRS) return undefined;
  return a.some((item) => b.some((other) => isSame(item, other) === equal));
}

function textsOf(value: string | readonly Json[]): readonly string[] {
  return typeof value === 'string' ? [value] : value.filter((item) => !isStructure(item)).map(labelOf);
}

/** Returns true for the same identity, written with or without the name of its module. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const bothPrefixed = a.includes(':') && b.includes(':');
  return !bothPrefixed && a.replace(/^[\w.-]+:/, '') === b.replace(/^[\w.-]+:/, '');
}

/** The values from the document to a location, for `..` steps. A list and its entry are one value. */
type Trail = readonly (Json | undefined)[];

/** Returns the trail from a document to a pointer. */
export function trailTo(document: Json | undefined, pointer: string): Trail {
  const trail: (Json | undefined)[] = [document];
  let value = document;
  for (const token of pointerTokens(pointer)) {
    const inList = isList(value);
    value = childOf(value, token);
    if (inList) trail.pop();
    trail.push(value);
  }
  return trail;
}

/**
 * Maximum number of values. A path that enters and leaves a list reaches more values with each repetition.
 */
const MAX_VALUES = 200_000;

const STEP = /(?:current\(\)|[^/[]+)(?:\[[^\]]*\])*/g;

/**
 * Returns the values that a location path selects (XPath 1.0 child steps and `..`), from a trail. Predicates
 * are ignored, so the result may contain values that a predicate excludes. Returns undefined for a path with
 * any other syntax, and for a path that reaches too many values.
 */
export function valuesOnPath(path: string, trail: Trail): readonly Json[] | undefined {
  const steps = (path.match(STEP) ?? []).map((step) => step.replace(/\[.*$/, '').trim());
  if (steps.some((step) => !/^(?:\.|\.\.|current\(\)|(?:[\w.-]+:)?[\w.-]+)$/.test(step))) return undefined;
  let trails: readonly Trail[] = path.startsWith('/') ? [trail.slice(0, 1)] : [trail];
  for (const step of steps) {
    const reached: Trail[] = [];
    for (const from of trails) {
      for (const next of walk(from, step)) reached.push(next);
      if (reached.length > MAX_VALUES) return undefined;
    }
    trails = reached;
  }
  return trails.flatMap((at) => {
    const value = at.at(-1);
    return value === undefined ? [] : [value];
  });
}

function walk(trail: Trail, step: string): readonly Trail[] {
  if (step === '.' || step === 'current()') return [trail];
  if (step === '..') return trail.length > 1 ? [trail.slice(0, -1)] : [];
  const value = trail.at(-1);
  if (!isMembers(value)) return [];
  return Object.keys(value)
    .filter((name) => isNamed(name, step))
    .flatMap((name) => entriesOf(value[name]).map((entry) => [...trail, entry]));
}

/** Returns true if a name matches a step; either side may lack the prefix. */
function isNamed(name: string, step: string): boolean {
  if (name === step) return true;
  const bothPrefixed = name.includes(':') && step.includes(':');
  return !bothPrefixed && name.replace(/^.*:/, '') === step.replace(/^.*:/, '');
}

function entriesOf(value: Json | undefined): readonly (Json | undefined)[] {
  if (isList(value) && !(value.length === 1 && value[0] === null)) return value;
  return [value];
}

export function scalarsOf(values: readonly Json[]): readonly Json[] {
  return values.filter((value) => !isStructure(value));
}
