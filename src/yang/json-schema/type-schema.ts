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
import { inheritedRange } from '../types/resolve-type.js';
import { valuesOfIdentityref } from '../types/value-check.js';
import type { Definitions, Schema } from './definitions.js';
import { decimalPattern, integerPattern } from './number-patterns.js';
import { translatePattern } from '../patterns/translate-pattern.js';

/** Maximum length of the exact pattern of a range, in characters. `x-yang-range` represents other ranges. */
const MAX_PATTERN_LENGTH = 2048;

/** Writes the schemas of types (RFC 7951 section 6), and caches those that do not depend on the node. */
export class TypeSchemas {
  readonly #definitions: Definitions;
  /** Cached schemas of types: by type, or by built-in type for a type without restrictions. */
  readonly #cache = new Map<YangType | BaseType, Schema>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Returns the schema of a type at a node. `module` is the module of unprefixed identity names in data. */
  schemaOf(type: YangType, node: SchemaNode, module = node.module): Schema {
    if (type.base === 'leafref') return this.#target(type, node, module);
    if (type.base === 'identityref') return this.#shared(type, identitySchema(type, module));
    if (type.base === 'union') return this.#shared(type, this.#union(type, node, module));
    const key = type.typedef || type.restricted ? type : type.base;
    const known = this.#cache.get(key);
    if (known) return known;
    const schema = this.#shared(type, plainSchema(type));
    this.#cache.set(key, schema);
    return schema;
  }

  /** Returns the deduplicated schema of a type. A definition of a typedef has the name of the typedef. */
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
      return { ...bitsSchema(type), 'x-yang-bits': describeValues(type.values, 'position') };
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
  const range = inheritedRange(type);
  if (type.base === 'decimal64')
    return stringNumberSchema(range, decimalPattern(range, type.fractionDigits ?? 1), type);
  if (type.base.endsWith('64')) return stringNumberSchema(range, integerPattern(range), type);
  const parts = range.map(({ from, to }) => ({ minimum: Number(from), maximum: Number(to) }));
  const [only] = parts;
  return parts.length === 1 ? { type: 'integer', ...only } : { type: 'integer', anyOf: parts };
}

/**
 * Returns the schema of numbers that RFC 7951 represents as strings. If the exact pattern of the range is too
 * long, the pattern covers the built-in range, and `x-yang-range` contains the range for gatehouse's
 * validator.
 */
function stringNumberSchema(range: readonly Interval[], pattern: string, type: YangType): Schema {
  if (pattern.length <= MAX_PATTERN_LENGTH)
    return { type: 'string', pattern, 'x-yang-number': type.fractionDigits ?? 0 };
  const builtInRange = [INTEGER_RANGES[type.base] ?? { from: 0n, to: 0n }];
  const digits = type.fractionDigits ?? 0;
  return {
    type: 'string',
    pattern: type.base === 'decimal64' ? decimalPattern(builtInRange, digits) : integerPattern(builtInRange),
    'x-yang-number': digits,
    'x-yang-range': range.map(({ from, to }) => [String(from), String(to)]),
  };
}

function enumerationSchema({ values = [] }: YangType): Schema {
  const names = values.filter(({ enabled }) => enabled).map(({ name }) => name);
  return { type: 'string', enum: names, 'x-yang-enum': describeValues(values, 'value') };
}

/** Returns the names, numbers, descriptions and statuses of enums or bits, for forms. */
function describeValues(values: readonly NamedValue[] = [], number: 'value' | 'position'): readonly Schema[] {
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

function identitySchema(type: YangType, nodeModule: YangModule): Schema {
  const names = [...valuesOfIdentityref(type)].flatMap(({ name, module }) =>
    module === nodeModule ? [`${module.name}:${name}`, name] : [`${module.name}:${name}`],
  );
  // An empty `enum` is not a valid schema, so `not` expresses that no value is accepted.
  return names.length > 0
    ? { type: 'string', enum: names, 'x-yang-identities': nodeModule.name }
    : { type: 'string', not: {} };
}

/** Returns the schema of a `string` with its lengths and patterns (RFC 7950 9.4). */
function stringSchema({ length, patterns = [] }: YangType): Schema {
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

/** Returns the limits of the length of a string. Omits limits beyond the safe integers. */
function lengthSchema(intervals: readonly Interval[]): Schema {
  const parts = intervals.map(({ from, to }) => ({
    ...(from > 0n && { minLength: Number(from) }),
    ...(to <= BigInt(Number.MAX_SAFE_INTEGER) && { maxLength: Number(to) }),
  }));
  const [only] = parts;
  return parts.length === 1 ? (only ?? {}) : { anyOf: parts };
}

const BASE64_DIGIT = '[A-Za-z0-9+/]';
const BASE64_GROUP = `(?:${BASE64_DIGIT}{4})`;
const MAX_GROUP_COUNT = 1000n;

/** Returns the schema of `binary`: base64 with a length in octets (RFC 7950 9.8). */
function binarySchema({ length }: YangType): Schema {
  const base = { type: 'string', contentEncoding: 'base64' };
  const any = `^${BASE64_GROUP}*(?:${BASE64_DIGIT}{2}==|${BASE64_DIGIT}{3}=)?$`;
  if (!length) return { ...base, pattern: any };
  const last = length.at(-1)?.to ?? 0n;
  if (
    length.some(({ from }) => from / 3n > MAX_GROUP_COUNT) ||
    (last < 2n ** 63n && last / 3n > MAX_GROUP_COUNT)
  )
    return {
      ...base,
      pattern: any,
      'x-yang-length': length.map(({ from, to }) => [String(from), String(to)]),
    };
  return { ...base, pattern: `^(?:${length.flatMap(octetPatterns).join('|')})$` };
}

/**
 * Returns base64 patterns for every number of octets in an interval: complete groups of three octets,
 * followed by zero, one or two octets.
 */
function octetPatterns({ from, to }: Interval): readonly string[] {
  const tails = ['', `${BASE64_DIGIT}{2}==`, `${BASE64_DIGIT}{3}=`];
  return tails.flatMap((tail, remainder) => {
    const minGroups = (from - BigInt(remainder) + 2n) / 3n;
    const maxGroups = to < 2n ** 63n ? floorOfThird(to - BigInt(remainder)) : undefined;
    if (maxGroups !== undefined && maxGroups < (minGroups < 0n ? 0n : minGroups)) return [];
    return [`${BASE64_GROUP}{${minGroups < 0n ? 0n : minGroups},${maxGroups ?? ''}}${tail}`];
  });
}

function floorOfThird(count: bigint): bigint {
  return count < 0n ? -1n : count / 3n;
}

/**
 * Returns the schema of `bits`: names in any order, separated by one space, without duplicates (RFC 7950
 * 9.7).
 */
function bitsSchema({ values = [] }: YangType): Schema {
  const names = values.filter(({ enabled }) => enabled).map(({ name }) => name.replaceAll('.', '\\.'));
  const any = names.join('|');
  const duplicates = names.map((name) => `${name} (?:.* )?${name}`).join('|');
  return {
    type: 'string',
    pattern: `^(?:(?:${any})(?: (?:${any}))*)?$`,
    not: { pattern: `(?:^| )(?:${duplicates})(?: |$)` },
  };
}

const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_.-]*';
const QUOTED_VALUE = `(?:'[^']*'|"[^"]*")`;
const PREDICATE = `\\[ *(?:[1-9][0-9]*|(?:\\.|(?:${IDENTIFIER}:)?${IDENTIFIER}) *= *${QUOTED_VALUE}) *\\]`;

/** Lexical form of an instance-identifier (RFC 7951 6.11). The first node name is always qualified. */
const INSTANCE_IDENTIFIER = `^/${IDENTIFIER}:${IDENTIFIER}(?:${PREDICATE})*(?:/(?:${IDENTIFIER}:)?${IDENTIFIER}(?:${PREDICATE})*)*$`;
