import { InvalidYang, type FaultList } from '../diagnostic.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import type { Names, YangModule } from './yang-module.js';

/**
 * Enabled features by module name. A module without an entry has all features enabled.
 * `*` inside a set means all features of that module.
 */
export type FeatureChoice = ReadonlyMap<string, ReadonlySet<string>>;

/** Maximum length of a chain of features, and maximum nesting of parentheses. */
const DEPTH = 100;

/** Evaluates features and the statements that depend on them. */
export class Features {
  readonly #names: Names;
  readonly #choice: FeatureChoice;
  readonly #known = new Map<Statement, boolean>();
  readonly #asking = new Set<Statement>();

  constructor(names: Names, choice: FeatureChoice) {
    this.#names = names;
    this.#choice = choice;
  }

  /** Returns true if every if-feature directly inside the statement holds. */
  allow(statement: Statement): boolean {
    return this.allowAll(childrenOf(statement, 'if-feature'));
  }

  /** Returns true if all of the if-feature statements hold. */
  allowAll(conditions: readonly Statement[]): boolean {
    return conditions.every((condition) => this.#holds(condition));
  }

  /** Checks every feature of a module, used or not. */
  checkModule(module: YangModule, faults: FaultList): void {
    for (const feature of module.definitions.feature.values())
      faults.catching(() => this.#isOn(feature, module));
  }

  #holds(condition: Statement): boolean {
    const known = this.#known.get(condition);
    if (known !== undefined) return known;
    const holds = new FeatureExpression(condition, (name) => this.#named(name, condition)).evaluate(
      this.#names.unitOf(condition).version === '1.1',
    );
    this.#known.set(condition, holds);
    return holds;
  }

  #named(name: string, condition: Statement): boolean {
    const { module, local } = this.#names.resolve(condition, name);
    const feature = module.definitions.feature.get(local);
    if (!feature) throw new InvalidYang(condition, 'RFC 7950 7.20.2', `there is no feature "${name}"`);
    return this.#isOn(feature, module);
  }

  #isOn(feature: Statement, module: YangModule): boolean {
    if (this.#asking.has(feature))
      throw new InvalidYang(
        feature,
        'RFC 7950 7.20.1',
        `the feature "${feature.argument}" depends on itself`,
      );
    if (this.#asking.size > DEPTH)
      throw new InvalidYang(feature, 'limit', `features depend on each other more than ${DEPTH} deep`);
    this.#asking.add(feature);
    try {
      const chosen = this.#choice.get(module.name);
      const wanted = chosen === undefined || chosen.has('*') || chosen.has(feature.argument);
      return this.allow(feature) && wanted;
    } finally {
      this.#asking.delete(feature);
    }
  }
}

/** Recursive descent parser for `and`, `or`, `not` and parentheses (RFC 7950 7.20.2). */
class FeatureExpression {
  readonly #statement: Statement;
  readonly #words: readonly string[];
  readonly #isOn: (name: string) => boolean;
  #at = 0;

  constructor(statement: Statement, isOn: (name: string) => boolean) {
    this.#statement = statement;
    this.#words = statement.argument.match(/[()]|[^()\s]+/g) ?? [];
    this.#isOn = isOn;
  }

  evaluate(is11: boolean): boolean {
    const simple = this.#words.length === 1 && !/[()]/.test(this.#statement.argument);
    if (!is11 && !simple) throw this.#broken('an expression needs "yang-version 1.1"');
    const value = this.#or(0);
    if (this.#at < this.#words.length) throw this.#broken(`"${this.#words[this.#at] ?? ''}" is not expected`);
    return value;
  }

  // Both sides are always read, so that an unknown feature is reported on either side.
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
    if (depth > DEPTH) throw this.#broken('too many parentheses inside each other');
    if (this.#take('not')) return !this.#factor(depth + 1);
    if (this.#take('(')) {
      const value = this.#or(depth + 1);
      if (!this.#take(')')) throw this.#broken('a ")" is missing');
      return value;
    }
    const word = this.#words[this.#at];
    if (word === undefined || /^(?:and|or|\))$/.test(word)) throw this.#broken('a feature name is missing');
    this.#at += 1;
    return this.#isOn(word);
  }

  #take(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }

  #broken(what: string): InvalidYang {
    return new InvalidYang(
      this.#statement,
      'RFC 7950 7.20.2',
      `if-feature "${this.#statement.argument}": ${what}`,
    );
  }
}
