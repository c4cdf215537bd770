import type { YangModule } from '../modules/yang-module.js';
import { argumentOf } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import {
  type BaseType,
  INTEGER_RANGES,
  type Interval,
  type NamedValue,
  type PatternRule,
  type YangType,
} from '../types/yang-type.js';
import { rangeBefore } from '../types/resolve-type.js';
import { valuesOfIdentityref } from '../types/value-check.js';
import type { Definitions, Schema } from './definitions.js';
import { decimalPattern, integerPattern } from './number-patterns.js';
import { translatePattern } from '../patterns/translate-pattern.js';

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

/** Returns the schema of `string` with its lengths and patterns (RFC 7950 9.4). */
export function stringSchema({ length, patterns = [] }: YangType): Schema {
  const rules = patterns.map(patternSchema);
  const lengths = length ? lengthSchema(length) : {};
  const [only] = rules;
  if (!only) return { type: 'string', ...lengths };
  return rules.length === 1
    ? { type: 'string', ...lengths, ...only }
    : { type: 'string', ...lengths, allOf: rules };
}

function patternSchema({ statement, inverted, message }: PatternRule): Schema {
  const { source } = translatePattern(statement);
  const hint = message === undefined ? {} : { 'x-hint': message };
  return inverted ? { not: { pattern: source }, ...hint } : { pattern: source, ...hint };
}

/** Returns the limits for lengths of strings. Omits numbers beyond the safe integers. */
function lengthSchema(intervals: readonly Interval[]): Schema {
  const parts = intervals.map(({ from, to }) => ({
    ...(from > 0n && { minLength: Number(from) }),
    ...(to <= BigInt(Number.MAX_SAFE_INTEGER) && { maxLength: Number(to) }),
  }));
  const [only] = parts;
  return parts.length === 1 ? (only ?? {}) : { anyOf: parts };
}

const DIGIT = '[A-Za-z0-9+/]';
const WHOLE = `(?:${DIGIT}{4})`;
const HIGHEST_COUNT = 1000n;

/** Returns the schema of `binary`: base64 whose length counts octets (RFC 7950 9.8). */
export function binarySchema({ length }: YangType): Schema {
  const base = { type: 'string', contentEncoding: 'base64' };
  const any = `^${WHOLE}*(?:${DIGIT}{2}==|${DIGIT}{3}=)?$`;
  if (!length) return { ...base, pattern: any };
  const last = length.at(-1)?.to ?? 0n;
  if (length.some(({ from }) => from / 3n > HIGHEST_COUNT) || (last < 2n ** 63n && last / 3n > HIGHEST_COUNT))
    return {
      ...base,
      pattern: any,
      'x-yang-length': length.map(({ from, to }) => [String(from), String(to)]),
    };
  return { ...base, pattern: `^(?:${length.flatMap(octets).join('|')})$` };
}

/**
 * Returns patterns of base64 for every number of octets in the interval: whole groups of three, then zero,
 * one or two octets.
 */
function octets({ from, to }: Interval): readonly string[] {
  const tails = ['', `${DIGIT}{2}==`, `${DIGIT}{3}=`];
  return tails.flatMap((tail, rest) => {
    const least = (from - BigInt(rest) + 2n) / 3n;
    const most = to < 2n ** 63n ? floorThird(to - BigInt(rest)) : undefined;
    if (most !== undefined && most < (least < 0n ? 0n : least)) return [];
    return [`${WHOLE}{${least < 0n ? 0n : least},${most ?? ''}}${tail}`];
  });
}

function floorThird(count: bigint): bigint {
  return count < 0n ? -1n : count / 3n;
}

/**
 * Returns the schema of `bits`: names separated by one space, each at most once, in any order (RFC 7950 9.7).
 */
export function bitsSchema({ values = [] }: YangType): Schema {
  const names = values.filter(({ enabled }) => enabled).map(({ name }) => name.replaceAll('.', '\\.'));
  const any = names.join('|');
  const twice = names.map((name) => `${name} (?:.* )?${name}`).join('|');
  return {
    type: 'string',
    pattern: `^(?:(?:${any})(?: (?:${any}))*)?$`,
    not: { pattern: `(?:^| )(?:${twice})(?: |$)` },
  };
}

const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
const QUOTED = `(?:'[^']*'|"[^"]*")`;
const PREDICATE = `\\[ *(?:[1-9][0-9]*|(?:\\.|(?:${NAME}:)?${NAME}) *= *${QUOTED}) *\\]`;

/** The lexical form of RFC 7951 6.11: the first node is always qualified. */
export const INSTANCE_IDENTIFIER = `^/${NAME}:${NAME}(?:${PREDICATE})*(?:/(?:${NAME}:)?${NAME}(?:${PREDICATE})*)*$`;
