import { readDecimal } from '../../core/yang-document.js';
import { InvalidYang } from '../diagnostic.js';
import type { Features } from '../modules/features.js';
import { basesOf } from '../modules/identities.js';
import type { Names } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import { argumentOf, childOf, childrenOf, type Statement } from '../syntax/statement.js';
import {
  BASE_TYPES,
  type BaseType,
  INTEGER_RANGES,
  type Interval,
  type PatternRule,
  type YangType,
} from './yang-type.js';
import { numberValues, readInteger, readIntervals, restrictValues } from './restrictions.js';

/** Maximum length of a chain of typedefs. */
const DEPTH = 200;

/** Maximum number of members of a union, including those of nested unions. */
const MEMBERS = 10_000;

/** Resolves `type` statements to types. Each statement is resolved once. */
export class Types {
  readonly #names: Names;
  readonly #features: Features;
  readonly #known = new Map<Statement, YangType>();
  readonly #asking = new Set<Statement>();

  constructor(names: Names, features: Features) {
    this.#names = names;
    this.#features = features;
  }

  /** Returns the type that a statement means. Throws {@link InvalidYang} if it breaks a rule. */
  resolve(statement: Statement): YangType {
    const known = this.#known.get(statement);
    if (known) return known;
    if (this.#asking.has(statement))
      throw new InvalidYang(statement, 'RFC 7950 7.3', `the type "${statement.argument}" is made of itself`);
    if (this.#asking.size > DEPTH)
      throw new InvalidYang(
        statement,
        'limit',
        `the type "${statement.argument}" is made of more than ${DEPTH} others`,
      );
    this.#asking.add(statement);
    try {
      const type = this.#make(statement);
      this.#known.set(statement, type);
      return type;
    } finally {
      this.#asking.delete(statement);
    }
  }

  #make(statement: Statement): YangType {
    const base = BASE_TYPES.find((name) => name === statement.argument);
    if (base) return this.#restrict(statement, { base, statement, typedef: undefined, restricted: false });
    const typedef = this.#names.definition('typedef', statement, statement.argument);
    if (!typedef)
      throw new InvalidYang(statement, 'RFC 7950 7.3', `there is no type "${statement.argument}"`);
    const written = childOf(typedef, 'type');
    if (!written)
      throw new InvalidYang(typedef, 'RFC 7950 7.3.2', `the typedef "${typedef.argument}" has no type`);
    const inner = this.resolve(written);
    const units = argumentOf(typedef, 'units') ?? inner.units;
    const fallback = childOf(typedef, 'default') ?? inner.default;
    return this.#restrict(statement, {
      ...inner,
      statement,
      typedef,
      restricted: false,
      ...(units !== undefined && { units }),
      ...(fallback && { default: fallback }),
    });
  }

  #restrict(statement: Statement, type: YangType): YangType {
    checkRestrictions(statement, type);
    const first = type.typedef ? {} : this.#firstOf(statement, type.base);
    const restricted = { ...type, ...first, ...this.#restrictionsOf(statement, type) };
    return { ...restricted, restricted: statement.children.some(({ keyword }) => keyword in ALLOWED) };
  }

  #restrictionsOf(statement: Statement, type: YangType): Partial<YangType> {
    switch (type.base) {
      case 'string':
        return { ...lengthOf(statement, type), ...patternsOf(statement, type) };
      case 'binary':
        return lengthOf(statement, type);
      case 'decimal64':
        return decimalOf(statement, type);
      case 'enumeration':
      case 'bits':
        return this.#valuesOf(statement, type, type.base === 'bits' ? 'bit' : 'enum');
      case 'leafref':
      case 'instance-identifier':
        return requireInstanceOf(statement);
      default:
        return type.base in INTEGER_RANGES ? rangeOf(statement, type, readInteger) : {};
    }
  }

  /** Returns the properties that only a direct use of a built-in type can define. */
  #firstOf(statement: Statement, base: BaseType): Partial<YangType> {
    switch (base) {
      case 'identityref':
        return { bases: required(basesOf(statement, this.#names), statement, 'base') };
      case 'leafref':
        return { path: pathOf(statement) };
      case 'union':
        return this.#membersOf(statement);
      default:
        return {};
    }
  }

  #membersOf(statement: Statement): Partial<YangType> {
    const written = required(childrenOf(statement, 'type'), statement, 'type');
    const members = written.map((member) => this.resolve(member));
    const memberCount = members.reduce((sum, member) => sum + (member.memberCount ?? 1), 0);
    if (memberCount > MEMBERS)
      throw new InvalidYang(statement, 'limit', `a union of more than ${MEMBERS} members`);
    return { members, memberCount };
  }

  #valuesOf(statement: Statement, type: YangType, keyword: 'enum' | 'bit'): Partial<YangType> {
    const statements = childrenOf(statement, keyword);
    if (type.values === undefined)
      return { values: numberValues(required(statements, statement, keyword), this.#features) };
    if (statements.length === 0) return {};
    if (this.#names.unitOf(statement).version === '1')
      throw new InvalidYang(statement, 'RFC 6020 9.6', `restricting ${type.base} needs "yang-version 1.1"`);
    return { values: restrictValues(statements, type.values, this.#features) };
  }
}

const INTEGERS = Object.keys(INTEGER_RANGES).filter((name) => name !== 'decimal64');

/**
 * Restrictions with the base types that can have them. Those that only define a new type are in {@link
 * ONLY_FIRST}.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  range: [...INTEGERS, 'decimal64'],
  length: ['string', 'binary'],
  pattern: ['string'],
  'fraction-digits': ['decimal64'],
  enum: ['enumeration'],
  bit: ['bits'],
  base: ['identityref'],
  path: ['leafref'],
  'require-instance': ['leafref', 'instance-identifier'],
  type: ['union'],
};

/** Restrictions that only a direct use of a built-in type can have. */
const ONLY_FIRST = new Set(['fraction-digits', 'base', 'path', 'type']);

function checkRestrictions(statement: Statement, type: YangType): void {
  for (const child of statement.children) {
    const bases = ALLOWED[child.keyword];
    if (!bases) continue;
    const late = type.typedef !== undefined && ONLY_FIRST.has(child.keyword);
    if (late || !bases.includes(type.base))
      throw new InvalidYang(
        child,
        'RFC 7950 9',
        `"${child.keyword}" cannot restrict the type "${statement.argument}"`,
      );
  }
}

function required<T>(found: readonly T[], statement: Statement, keyword: string): readonly T[] {
  if (found.length === 0)
    throw new InvalidYang(
      statement,
      'RFC 7950 9',
      `the type ${statement.argument} needs "${keyword}" inside`,
    );
  return found;
}

function pathOf(statement: Statement): Statement {
  const [path] = required(childrenOf(statement, 'path'), statement, 'path');
  if (!path) throw new Error('an empty list was accepted');
  return path;
}

function requireInstanceOf(statement: Statement): Partial<YangType> {
  const written = argumentOf(statement, 'require-instance');
  return written === undefined ? {} : { requireInstance: written === 'true' };
}

function rangeOf(
  statement: Statement,
  type: YangType,
  read: (text: string) => bigint | undefined,
): Partial<YangType> {
  const written = childOf(statement, 'range');
  return written ? { range: readIntervals(written, rangeBefore(type), read) } : {};
}

/** Returns the range that a type allows: its range, or that of its built-in type. */
export function rangeBefore({ base, range }: YangType): readonly Interval[] {
  const whole = INTEGER_RANGES[base];
  return range ?? (whole ? [whole] : []);
}

function decimalOf(statement: Statement, type: YangType): Partial<YangType> {
  const [first] = type.typedef
    ? []
    : required(childrenOf(statement, 'fraction-digits'), statement, 'fraction-digits');
  const fractionDigits = first ? Number(first.argument) : (type.fractionDigits ?? 1);
  return { fractionDigits, ...rangeOf(statement, type, (text) => readDecimal(text, fractionDigits)) };
}

const ANY_LENGTH: readonly Interval[] = [{ from: 0n, to: 2n ** 64n - 1n }];

function lengthOf(statement: Statement, type: YangType): Partial<YangType> {
  const written = childOf(statement, 'length');
  const read = (text: string) => (text.startsWith('-') ? undefined : readInteger(text));
  return written ? { length: readIntervals(written, type.length ?? ANY_LENGTH, read) } : {};
}

function patternsOf(statement: Statement, type: YangType): Partial<YangType> {
  const written = childrenOf(statement, 'pattern');
  if (written.length === 0) return {};
  return { patterns: [...(type.patterns ?? []), ...written.map(patternRule)] };
}

function patternRule(statement: Statement): PatternRule {
  // Translated here only to refuse invalid expressions; the translation is cached.
  translatePattern(statement);
  return {
    xsd: statement.argument,
    inverted: argumentOf(statement, 'modifier') === 'invert-match',
    message: argumentOf(statement, 'error-message'),
    statement,
  };
}
