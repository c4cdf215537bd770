import type { YangModule } from '../modules/yang-module.js';
import { argumentOf } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import type { BaseType } from '../types/base-types.js';
import { rangeBefore } from '../types/resolve-type.js';
import { valuesOfIdentityref } from '../types/value-check.js';
import { INTEGER_RANGES, type Interval, type NamedValue, type YangType } from '../types/yang-type.js';
import type { Definitions } from './definitions.js';
import type { Schema } from './schema-types.js';
import { binarySchema, bitsSchema, INSTANCE_IDENTIFIER, stringSchema } from './string-schema.js';
import { fractionsBetween, grouped, numbersBetween } from './digits.js';

/** Maximum length of an exact pattern of a range. Longer ranges are left to `x-yang-range`. */
const LONGEST_PATTERN = 2048;

/** Writes the schemas of types (RFC 7951 section 6), each type once. */
export class TypeSchemas {
  readonly #definitions: Definitions;
  /** Schemas of built-in types without restrictions, which do not depend on the node. */
  readonly #known = new Map<YangType | BaseType, Schema>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Returns the schema of a type at a node; `module` is the module of names without a prefix in data. */
  schemaOf(type: YangType, node: SchemaNode, module = node.module): Schema {
    if (type.base === 'leafref') return this.#target(type, node, module);
    if (type.base === 'identityref') return this.#shared(type, identitySchema(type, module));
    if (type.base === 'union') return this.#shared(type, this.#union(type, node, module));
    const key = type.typedef || type.restricted ? type : type.base;
    const known = this.#known.get(key);
    if (known) return known;
    const schema = this.#shared(type, plainSchema(type));
    this.#known.set(key, schema);
    return schema;
  }

  /**
   * Returns the shared schema of a type. A named type may become a definition with the name of the typedef.
   */
  #shared(type: YangType, schema: Schema): Schema {
    return this.#definitions.keep(
      schema,
      type.typedef && !type.restricted ? type.typedef.argument : `${type.base}-type`,
    );
  }

  #target(type: YangType, node: SchemaNode, module: YangModule): Schema {
    const target = node.targets?.get(type);
    return target?.type ? this.schemaOf(target.type, target, module) : {};
  }

  #union({ members = [] }: YangType, node: SchemaNode, module: YangModule): Schema {
    return { anyOf: members.map((member) => this.schemaOf(member, node, module)) };
  }
}

/** Returns the schema of a type that does not depend on the node. */
function plainSchema(type: YangType): Schema {
  switch (type.base) {
    case 'string':
      return stringSchema(type);
    case 'binary':
      return binarySchema(type);
    case 'bits':
      return { ...bitsSchema(type), 'x-yang-bits': describe(type.values, 'position') };
    case 'boolean':
      return { type: 'boolean' };
    case 'empty':
      return { const: [null] };
    case 'enumeration':
      return enumerationSchema(type);
    case 'instance-identifier':
      return { type: 'string', pattern: INSTANCE_IDENTIFIER };
    default:
      return numberSchema(type);
  }
}

function numberSchema(type: YangType): Schema {
  const range = rangeBefore(type);
  if (type.base === 'decimal64') return textual(range, decimalPattern(range, type.fractionDigits ?? 1), type);
  if (type.base.endsWith('64')) return textual(range, integerPattern(range), type);
  const parts = range.map(({ from, to }) => ({ minimum: Number(from), maximum: Number(to) }));
  const [only] = parts;
  return parts.length === 1 ? { type: 'integer', ...only } : { type: 'integer', anyOf: parts };
}

/**
 * Returns the schema of numbers that are strings in JSON: an exact pattern, or the pattern of the whole type
 * and a range for our validator.
 */
function textual(range: readonly Interval[], pattern: string, type: YangType): Schema {
  if (pattern.length <= LONGEST_PATTERN)
    return { type: 'string', pattern, 'x-yang-number': type.fractionDigits ?? 0 };
  const whole = [INTEGER_RANGES[type.base] ?? { from: 0n, to: 0n }];
  const digits = type.fractionDigits ?? 0;
  return {
    type: 'string',
    pattern: type.base === 'decimal64' ? decimalPattern(whole, digits) : integerPattern(whole),
    'x-yang-number': digits,
    'x-yang-range': range.map(({ from, to }) => [String(from), String(to)]),
  };
}

function enumerationSchema({ values = [] }: YangType): Schema {
  const names = values.filter(({ enabled }) => enabled).map(({ name }) => name);
  return { type: 'string', enum: names, 'x-yang-enum': describe(values, 'value') };
}

/** Returns numbers and texts of enums or bits, for forms. */
function describe(values: readonly NamedValue[] = [], number: 'value' | 'position'): readonly Schema[] {
  return values
    .filter(({ enabled }) => enabled)
    .map(({ name, value, statement }) => {
      const description = argumentOf(statement, 'description');
      const status = argumentOf(statement, 'status');
      return {
        name,
        [number]: Number(value),
        ...(description !== undefined && { description }),
        ...(status !== undefined && status !== 'current' && { status }),
      };
    });
}

function identitySchema(type: YangType, own: YangModule): Schema {
  const names = [...valuesOfIdentityref(type)].flatMap(({ name, module }) =>
    module === own ? [`${module.name}:${name}`, name] : [`${module.name}:${name}`],
  );
  // An empty enum is not a valid schema, and a type without values accepts nothing.
  return names.length > 0
    ? { type: 'string', enum: names, 'x-yang-identities': own.name }
    : { type: 'string', not: {} };
}

/**
 * Returns the pattern of the whole numbers in the intervals, as strings in the form of RFC 7951 6.1 for
 * 64-bit numbers.
 */
export function integerPattern(intervals: readonly Interval[]): string {
  return signedPattern(intervals, numbersBetween);
}

/**
 * Returns the pattern of the decimal64 numbers in the intervals. The intervals count units of the last of
 * `digits` fraction digits.
 */
export function decimalPattern(intervals: readonly Interval[], digits: number): string {
  return signedPattern(intervals, (low, high) => decimalsBetween(low, high, digits));
}

type Between = (low: bigint, high: bigint) => string;

function signedPattern(intervals: readonly Interval[], between: Between): string {
  const parts = intervals.flatMap(({ from, to }) => {
    if (from > 0n) return [`\\+?${grouped(between(from, to))}`];
    if (to < 0n) return [`-${grouped(between(-to, -from))}`];
    // Zero may have either sign.
    const [below, above] = [between(0n, -from), between(0n, to)];
    return below === above ? [`[+-]?${grouped(above)}`] : [`-${grouped(below)}`, `\\+?${grouped(above)}`];
  });
  return `^${grouped(parts.join('|'))}$`;
}

function decimalsBetween(low: bigint, high: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const [first, last] = [low / unit, high / unit];
  const [least, most] = [fraction(low % unit, digits), fraction(high % unit, digits)];
  const [zeros, nines] = ['0'.repeat(digits), '9'.repeat(digits)];
  if (first === last) return decimals(first, last, fractionsBetween(least, most));
  // Whole numbers whose every fraction is allowed. The two ends are separate only if they exclude fractions.
  const from = least === zeros ? first : first + 1n;
  const to = most === nines ? last : last - 1n;
  return [
    ...(from > first ? [decimals(first, first, fractionsBetween(least, nines))] : []),
    ...(from <= to ? [decimals(from, to, fractionsBetween(zeros, nines))] : []),
    ...(to < last ? [decimals(last, last, fractionsBetween(zeros, most))] : []),
  ].join('|');
}

function fraction(units: bigint, digits: number): string {
  return String(units).padStart(digits, '0');
}

/**
 * Returns a pattern for whole numbers with a fraction. A fraction that may be zero may be left out with its
 * point.
 */
function decimals(from: bigint, to: bigint, fractions: string): string {
  const whole = grouped(numbersBetween(from, to));
  const body = new RegExp(`^(?:${fractions})$`);
  // A point must be followed by a digit. An expression that matches the empty text does not require a digit.
  return body.test('') ? `${whole}(?:\\.${atLeastOne(fractions)})?` : `${whole}\\.${grouped(fractions)}`;
}

function atLeastOne(fractions: string): string {
  const anything = /^\[0-9\]\{0,(\d+)\}0\*$/.exec(fractions);
  if (anything) return `[0-9]{1,${anything[1] ?? '1'}}0*`;
  if (fractions === '0*') return '0+';
  return grouped(fractions.replace(/^\|/, '').replace(/^0\*/, '0+'));
}
