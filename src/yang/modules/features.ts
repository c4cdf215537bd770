import { InvalidYang, type FaultList } from '../diagnostic.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import type { Names, YangModule } from './yang-module.js';

/**
 * Enabled features by module name. A module without an entry has all features enabled.
 * `*` inside a set means all features of that module.
 */
export type FeatureChoice = ReadonlyMap<string, ReadonlySet<string>>;

/** Maximum length of a chain of dependent features, and maximum nesting of an expression. */
const MAX_FEATURE_DEPTH = 100;

/** Evaluates features and `if-feature` statements. */
export class Features {
  readonly #names: Names;
  readonly #enabledFeatures: FeatureChoice;
  readonly #faults: FaultList;
  readonly #results = new Map<Statement, boolean>();
  readonly #evaluating = new Set<Statement>();

  constructor(names: Names, choice: FeatureChoice, faults: FaultList) {
    this.#names = names;
    this.#enabledFeatures = choice;
    this.#faults = faults;
  }

  /** Returns true if every `if-feature` substatement of a statement is true. */
  allow(statement: Statement): boolean {
    return this.allowAll(childrenOf(statement, 'if-feature'));
  }

  /** Returns true if all of the `if-feature` statements are true. */
  allowAll(conditions: readonly Statement[]): boolean {
    return conditions.length === 0 || conditions.every((condition) => this.#isTrue(condition));
  }

  /** Evaluates every feature of a module, and records the faults in their definitions. */
  checkModule(module: YangModule, faults: FaultList): void {
    for (const feature of module.definitions.feature.values())
      faults.catching(() => this.#isEnabled(feature, module));
  }

  #isTrue(condition: Statement): boolean {
    const cached = this.#results.get(condition);
    if (cached !== undefined) return cached;
    checkSpaces(condition, this.#faults);
    const result = new FeatureExpression(condition, (name) => this.#isEnabledName(name, condition)).evaluate(
      this.#names.unitOf(condition).version === '1.1',
    );
    this.#results.set(condition, result);
    return result;
  }

  #isEnabledName(name: string, condition: Statement): boolean {
    const { module, local } = this.#names.resolve(condition, name);
    const feature = module.definitions.feature.get(local);
    if (!feature) throw new InvalidYang(condition, 'RFC 7950 7.20.2', `there is no feature "${name}"`);
    this.#names.requireVisible(condition, feature);
    return this.#isEnabled(feature, module);
  }

  #isEnabled(feature: Statement, module: YangModule): boolean {
    if (this.#evaluating.has(feature))
      throw new InvalidYang(
        feature,
        'RFC 7950 7.20.1',
        `the feature "${feature.argument}" depends on itself`,
      );
    if (this.#evaluating.size > MAX_FEATURE_DEPTH)
      throw new InvalidYang(
        feature,
        'limit',
        `features depend on each other more than ${MAX_FEATURE_DEPTH} deep`,
      );
    this.#evaluating.add(feature);
    try {
      const names = this.#enabledFeatures.get(module.name);
      const isChosen = names === undefined || names.has('*') || names.has(feature.argument);
      return this.allow(feature) && isChosen;
    } finally {
      this.#evaluating.delete(feature);
    }
  }
}

/** Adds a fault for an operator without the white space that separates it from a parenthesis; the meaning is clear. */
function checkSpaces(condition: Statement, faults: FaultList): void {
  if (!/\b(?:and|or|not)\(|\)(?:and|or)\b/.test(condition.argument)) return;
  const message = 'white space is missing between an operator and a parenthesis';
  faults.addHarmless(condition, 'RFC 7950 7.20.2', `if-feature "${condition.argument}": ${message}`);
}

/** Recursive descent parser for `and`, `or`, `not` and parentheses (RFC 7950 7.20.2). */
class FeatureExpression {
  readonly #statement: Statement;
  readonly #words: readonly string[];
  readonly #isEnabled: (name: string) => boolean;
  #at = 0;

  constructor(statement: Statement, isEnabled: (name: string) => boolean) {
    this.#statement = statement;
    this.#words = statement.argument.match(/[()]|[^()\s]+/g) ?? [];
    this.#isEnabled = isEnabled;
  }

  evaluate(isVersion11: boolean): boolean {
    const isSingleName = this.#words.length === 1 && !/[()]/.test(this.#statement.argument);
    if (!isVersion11 && !isSingleName) throw this.#invalid('an expression needs "yang-version 1.1"');
    const value = this.#or(0);
    if (this.#at < this.#words.length)
      throw this.#invalid(`"${this.#words[this.#at] ?? ''}" is not expected`);
    return value;
  }

  // Both operands are always evaluated, so that an unknown feature is reported in either operand.
  #or(depth: number): boolean {
    let value = this.#and(depth);
    while (this.#take('or')) value = this.#and(depth) || value;
    return value;
  }

  #and(depth: number): boolean {
    let value = this.#factor(depth);
    while (this.#take('and')) value = this.#factor(depth) && value;
    return value;
  }

  #factor(depth: number): boolean {
    if (depth > MAX_FEATURE_DEPTH) throw this.#invalid('too many parentheses inside each other');
    if (this.#isOperatorNot() && this.#take('not')) return !this.#factor(depth + 1);
    if (this.#take('(')) {
      const value = this.#or(depth + 1);
      if (!this.#take(')')) throw this.#invalid('a ")" is missing');
      return value;
    }
    const word = this.#words[this.#at];
    if (word === undefined || word === ')') throw this.#invalid('a feature name is missing');
    this.#at += 1;
    return this.#isEnabled(word);
  }

  /** Returns false if the word "not" is the name of a feature: at the end, or before an operator with an operand. */
  #isOperatorNot(): boolean {
    const [next, afterNext] = this.#words.slice(this.#at + 1, this.#at + 3);
    if (next === undefined || next === ')') return false;
    return (next !== 'and' && next !== 'or') || afterNext === undefined || afterNext === ')';
  }

  #take(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }

  #invalid(message: string): InvalidYang {
    return new InvalidYang(
      this.#statement,
      'RFC 7950 7.20.2',
      `if-feature "${this.#statement.argument}": ${message}`,
    );
  }
}
