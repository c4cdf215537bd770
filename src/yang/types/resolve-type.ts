import { readDecimal } from '../../core/yang-document.js';
import { type FaultList, InvalidYang } from '../diagnostic.js';
import { readLeafrefPath } from '../grammar/leafref-path.js';
import type { Features } from '../modules/features.js';
import { basesOf } from '../modules/identities.js';
import type { Names } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import { argumentOf, childOf, childrenOf, type Statement } from '../syntax/statement.js';
import {
  checkBoundaryForms,
  numberValues,
  readInteger,
  readIntervals,
  restrictValues,
} from './restrictions.js';
import {
  BASE_TYPES,
  type BaseType,
  INTEGER_RANGES,
  type Interval,
  type PatternRule,
  type YangType,
} from './yang-type.js';

/** Built-in types by name. */
const BUILT_IN_TYPES: ReadonlyMap<string, BaseType> = new Map(BASE_TYPES.map((name) => [name, name]));

/** Maximum length of a chain of typedefs. */
const MAX_TYPEDEF_CHAIN = 200;

/** Maximum number of members of a union, including those of nested unions. */
const MAX_UNION_MEMBERS = 10_000;

/** Resolves `type` statements to types, and caches the result for each statement. */
export class Types {
  readonly #names: Names;
  readonly #features: Features;
  readonly #faults: FaultList;
  readonly #resolved = new Map<Statement, YangType>();
  /** Types of the statements without substatements, which agree: by built-in type, or by typedef. */
  readonly #unrestricted = new Map<BaseType | Statement, YangType>();
  readonly #resolving = new Set<Statement>();

  constructor(names: Names, features: Features, faults: FaultList) {
    this.#names = names;
    this.#features = features;
    this.#faults = faults;
  }

  /** Returns the type of a `type` statement. Throws {@link InvalidYang} if the statement violates a rule. */
  resolve(statement: Statement): YangType {
    const known = this.#resolved.get(statement);
    if (known) return known;
    if (this.#resolving.has(statement))
      throw new InvalidYang(
        statement,
        'RFC 7950 7.3',
        `the type "${statement.argument}" is derived from itself`,
      );
    if (this.#resolving.size > MAX_TYPEDEF_CHAIN)
      throw new InvalidYang(
        statement,
        'limit',
        `the type "${statement.argument}" is derived through more than ${MAX_TYPEDEF_CHAIN} typedefs`,
      );
    this.#resolving.add(statement);
    try {
      const type = this.#resolveNew(statement);
      if (statement.children.length > 0) this.#resolved.set(statement, type);
      return type;
    } finally {
      this.#resolving.delete(statement);
    }
  }

  #resolveNew(statement: Statement): YangType {
    const base = BUILT_IN_TYPES.get(statement.argument);
    if (base)
      return this.#once(base, statement, () => ({ base, statement, typedef: undefined, restricted: false }));
    const typedef = this.#names.definition('typedef', statement, statement.argument);
    if (!typedef)
      throw new InvalidYang(statement, 'RFC 7950 7.3', `there is no type "${statement.argument}"`);
    return this.#once(typedef, statement, () => this.#typedefType(typedef, statement));
  }

  /** Restricts a type by a statement. Statements without substatements have the same type. */
  #once(key: BaseType | Statement, statement: Statement, typeOf: () => YangType): YangType {
    if (statement.children.length > 0) return this.#restrict(statement, typeOf());
    let type = this.#unrestricted.get(key);
    if (!type) this.#unrestricted.set(key, (type = this.#restrict(statement, typeOf())));
    return type;
  }

  /** Returns the type of a typedef for a statement that names it. */
  #typedefType(typedef: Statement, statement: Statement): YangType {
    const written = childOf(typedef, 'type');
    if (!written)
      throw new InvalidYang(typedef, 'RFC 7950 7.3.2', `the typedef "${typedef.argument}" has no type`);
    const inner = this.resolve(written);
    const units = argumentOf(typedef, 'units') ?? inner.units;
    const defaultStatement = childOf(typedef, 'default') ?? inner.default;
    return {
      ...inner,
      statement,
      typedef,
      restricted: false,
      ...(units !== undefined && { units }),
      ...(defaultStatement && { default: defaultStatement }),
    };
  }

  #restrict(statement: Statement, type: YangType): YangType {
    checkRestrictions(statement, type);
    const definition = type.typedef ? undefined : this.#definitionOf(statement, type.base);
    const restrictions = this.#restrictionsOf(statement, type);
    const restricted = statement.children.some(({ keyword }) => keyword in RESTRICTED_BASE_TYPES);
    for (const child of statement.children)
      if (child.keyword === 'range' || child.keyword === 'length')
        this.#faults.warning(() => {
          checkBoundaryForms(child);
        });
    return { ...type, ...definition, ...restrictions, restricted };
  }

  #restrictionsOf(statement: Statement, type: YangType): Partial<YangType> {
    switch (type.base) {
      case 'string':
        return { ...lengthOf(statement, type), ...this.#patternsOf(statement, type) };
      case 'binary':
        return lengthOf(statement, type);
      case 'decimal64':
        return decimalOf(statement, type);
      case 'enumeration':
      case 'bits':
        return this.#valuesOf(statement, type, type.base === 'bits' ? 'bit' : 'enum');
      case 'leafref':
        this.#requireVersion11(childOf(statement, 'require-instance'), '9.9', 'in a leafref');
        return requireInstanceOf(statement);
      case 'instance-identifier':
        return requireInstanceOf(statement);
      default:
        return type.base in INTEGER_RANGES ? rangeOf(statement, type, readInteger) : {};
    }
  }

  /** Returns the properties that only a direct use of a built-in type can set. */
  #definitionOf(statement: Statement, base: BaseType): Partial<YangType> {
    switch (base) {
      case 'identityref':
        return { bases: requireNonEmpty(basesOf(statement, this.#names), statement, 'base') };
      case 'leafref':
        return { path: leafrefPathOf(statement, this.#names) };
      case 'union':
        return this.#membersOf(statement);
      default:
        return {};
    }
  }

  #membersOf(statement: Statement): Partial<YangType> {
    const written = requireNonEmpty(childrenOf(statement, 'type'), statement, 'type');
    for (const member of written)
      if (member.argument === 'empty' || member.argument === 'leafref')
        this.#requireVersion11(member, '9.12', 'in a union');
    const members = written.map((member) => this.resolve(member));
    const memberCount = members.reduce((sum, member) => sum + (member.memberCount ?? 1), 0);
    if (memberCount > MAX_UNION_MEMBERS)
      throw new InvalidYang(statement, 'limit', `a union of more than ${MAX_UNION_MEMBERS} members`);
    return { members, memberCount };
  }

  #patternsOf(statement: Statement, type: YangType): Partial<YangType> {
    const written = childrenOf(statement, 'pattern');
    if (written.length === 0) return {};
    return { patterns: [...(type.patterns ?? []), ...written.map((pattern) => this.#patternRule(pattern))] };
  }

  #patternRule(statement: Statement): PatternRule {
    const { fault } = translatePattern(statement);
    if (fault) this.#faults.addTolerable(fault, '; it is not enforced');
    return {
      xsd: statement.argument,
      inverted: argumentOf(statement, 'modifier') === 'invert-match',
      message: argumentOf(statement, 'error-message'),
      statement,
    };
  }

  /** Throws for a statement that YANG 1.0 does not allow at its place. */
  #requireVersion11(statement: Statement | undefined, section: string, place: string): void {
    if (!statement || this.#names.unitOf(statement).version === '1.1') return;
    const { keyword, argument } = statement;
    const message = `${keyword} "${argument}" ${place} needs "yang-version 1.1"`;
    throw new InvalidYang(statement, `RFC 6020 ${section}`, message);
  }

  #valuesOf(statement: Statement, type: YangType, keyword: 'enum' | 'bit'): Partial<YangType> {
    const statements = childrenOf(statement, keyword);
    if (type.values === undefined)
      return { values: numberValues(requireNonEmpty(statements, statement, keyword), this.#features) };
    if (statements.length === 0) return {};
    if (this.#names.unitOf(statement).version === '1')
      throw new InvalidYang(statement, 'RFC 6020 9.6', `restricting ${type.base} needs "yang-version 1.1"`);
    return { values: restrictValues(statements, type.values, this.#features) };
  }
}

const INTEGER_TYPES = Object.keys(INTEGER_RANGES).filter((name) => name !== 'decimal64');

/**
 * Restrictions with the built-in types that can have them. {@link DEFINING_RESTRICTIONS} lists those that a
 * derived type cannot have.
 */
const RESTRICTED_BASE_TYPES: Readonly<Record<string, readonly string[]>> = {
  range: [...INTEGER_TYPES, 'decimal64'],
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

/** Restrictions that are only allowed in a direct use of a built-in type. */
const DEFINING_RESTRICTIONS = new Set(['fraction-digits', 'base', 'path', 'type']);

function checkRestrictions(statement: Statement, type: YangType): void {
  for (const child of statement.children) {
    const bases = RESTRICTED_BASE_TYPES[child.keyword];
    if (!bases) continue;
    const isDerived = type.typedef !== undefined && DEFINING_RESTRICTIONS.has(child.keyword);
    if (isDerived || !bases.includes(type.base))
      throw new InvalidYang(
        child,
        'RFC 7950 9',
        `"${child.keyword}" cannot restrict the type "${statement.argument}"`,
      );
  }
}

function requireNonEmpty<T>(found: readonly T[], statement: Statement, keyword: string): readonly T[] {
  if (found.length === 0)
    throw new InvalidYang(
      statement,
      'RFC 7950 9',
      `the type ${statement.argument} needs "${keyword}" inside`,
    );
  return found;
}

/** Returns the path of a leafref, whose prefixes are known. */
function leafrefPathOf(statement: Statement, names: Names): Statement {
  const [path] = requireNonEmpty(childrenOf(statement, 'path'), statement, 'path');
  if (!path) throw new Error('an empty list was accepted');
  for (const { name } of readLeafrefPath(path).steps) names.resolve(path, name);
  return path;
}

function requireInstanceOf(statement: Statement): Partial<YangType> {
  const written = argumentOf(statement, 'require-instance');
  return written === undefined ? {} : { requireInstance: written === 'true' };
}

function rangeOf(
  statement: Statement,
  type: YangType,
  readNumber: (text: string) => bigint | undefined,
): Partial<YangType> {
  const written = childOf(statement, 'range');
  return written ? { range: readIntervals(written, inheritedRange(type), readNumber) } : {};
}

/** Returns the range of a type, or the range of its built-in type if the type has no restriction. */
export function inheritedRange({ base, range }: YangType): readonly Interval[] {
  const builtInRange = INTEGER_RANGES[base];
  return range ?? (builtInRange ? [builtInRange] : []);
}

function decimalOf(statement: Statement, type: YangType): Partial<YangType> {
  const [definition] = type.typedef
    ? []
    : requireNonEmpty(childrenOf(statement, 'fraction-digits'), statement, 'fraction-digits');
  const fractionDigits = definition ? Number(definition.argument) : (type.fractionDigits ?? 1);
  return { fractionDigits, ...rangeOf(statement, type, (text) => readDecimal(text, fractionDigits)) };
}

const FULL_LENGTH_RANGE: readonly Interval[] = [{ from: 0n, to: 2n ** 64n - 1n }];

function lengthOf(statement: Statement, type: YangType): Partial<YangType> {
  const written = childOf(statement, 'length');
  const readNumber = (text: string) => (text.startsWith('-') ? undefined : readInteger(text));
  return written ? { length: readIntervals(written, type.length ?? FULL_LENGTH_RANGE, readNumber) } : {};
}
