import type { Names, YangModule } from '../modules/yang-module.js';
import { argumentOf, childOf, type Statement } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import { inheritedRange } from '../types/resolve-type.js';
import {
  type BaseType,
  INTEGER_RANGES,
  type Interval,
  type NamedValue,
  type YangType,
} from '../types/yang-type.js';
import type { Definitions, Schema } from './definitions.js';
import type { Dialect } from './dialect.js';
import { joinedUnion, jsonTypeOf, memberTypesOf } from './form-unions.js';
import { identitySchema } from './identity-schema.js';
import { decimalPattern, integerPattern } from './number-patterns.js';
import {
  binarySchema,
  bitsSchema,
  excludeAll,
  gapsBetween,
  INSTANCE_IDENTIFIER,
  stringSchema,
} from './string-schema.js';

/** Maximum length of the exact pattern of a range, in characters. `x-yang-range` represents other ranges. */
const MAX_PATTERN_LENGTH = 2048;

/** Dependencies of {@link TypeSchemas}. */
interface TypeSchemasOptions {
  readonly names: Names;
  readonly definitions: Definitions;
  readonly dialect: Dialect;
}

/** Writes the schemas of types (RFC 7951 section 6), and caches those that do not depend on the node. */
export class TypeSchemas {
  readonly #names: Names;
  readonly #definitions: Definitions;
  readonly #dialect: Dialect;
  /** Cached schemas of types: by type, or by built-in type for a type without restrictions. */
  readonly #cache = new Map<YangType | BaseType, Schema>();
  /** Patterns of numbers by range. A device model writes the same type at many leaves. */
  readonly #patterns = new Map<string, string>();

  constructor({ names, definitions, dialect }: TypeSchemasOptions) {
    this.#names = names;
    this.#definitions = definitions;
    this.#dialect = dialect;
  }

  /** Returns the schema of a type at a node. `module` is the module of unprefixed identity names in data. */
  schemaOf(type: YangType, node: SchemaNode, module = node.module): Schema {
    if (type.base === 'leafref') return this.#target(type, node, module);
    if (type.base === 'identityref') return this.#shared(type, identitySchema(type, module, this.#dialect));
    if (type.base === 'union') return this.#shared(type, this.#union(type, node, module));
    const key = type.typedef || type.restricted ? type : type.base;
    const known = this.#cache.get(key);
    if (known) return known;
    const schema = this.#shared(type, this.#plain(type));
    this.#cache.set(key, schema);
    return schema;
  }

  /**
   * Returns the deduplicated schema of a type. A definition of a typedef has the names of its module and the typedef.
   * Form libraries receive no definitions of types, because they ignore the keywords beside `$ref`.
   */
  #shared(type: YangType, schema: Schema): Schema {
    if (this.#dialect !== 'plain') return schema;
    const { typedef, restricted, base } = type;
    const name =
      typedef && !restricted
        ? `${this.#names.unitOf(typedef).module.name}.${typedef.argument}`
        : `${base}-type`;
    return this.#definitions.keep(schema, name);
  }

  #target(type: YangType, node: SchemaNode, module: YangModule): Schema {
    const target = node.targets?.get(type);
    return target?.type ? this.schemaOf(target.type, target, module) : {};
  }

  #union(type: YangType, node: SchemaNode, module: YangModule): Schema {
    const members = memberTypesOf(type, this.#dialect);
    const schemas = members.map((member) => this.schemaOf(member, node, module));
    if (this.#dialect === 'plain') return { anyOf: schemas };
    const joined = joinedUnion(schemas);
    if (joined) return joined;
    // The renderers of JSON Forms without one for `anyOf` show a field of the type.
    const jsonType = this.#dialect === 'jsonforms' ? jsonTypeOf(type, node) : undefined;
    return {
      ...(jsonType !== undefined && { type: jsonType }),
      anyOf: schemas.map((schema, at) => ({ title: nameOfType(members[at]), ...schema })),
    };
  }

  #number(type: YangType): Schema {
    const range = inheritedRange(type);
    if (!type.base.endsWith('64')) return integerSchema(range);
    const key = `${type.fractionDigits ?? ''} ${range.map(({ from, to }) => `${from}..${to}`).join(' ')}`;
    let pattern = this.#patterns.get(key);
    if (pattern === undefined) this.#patterns.set(key, (pattern = patternOf(type, range)));
    return stringNumberSchema(range, pattern, type);
  }

  /** Returns the schema of a type that does not depend on the node. */
  #plain(type: YangType): Schema {
    switch (type.base) {
      case 'string':
        return { ...stringSchema(type, this.#dialect), ...formatOf(type, this.#names) };
      case 'binary':
        return binarySchema(type);
      case 'bits':
        return { ...bitsSchema(type), 'x-yang-bits': describeValues(type.values, 'position') };
      case 'boolean':
        return { type: 'boolean' };
      case 'empty':
        // Form libraries render a value of `enum` as an option; an array of null would need a field for its item.
        return { enum: [[null]] };
      case 'enumeration':
        return enumerationSchema(type);
      case 'instance-identifier':
        return { type: 'string', pattern: INSTANCE_IDENTIFIER };
      default:
        return this.#number(type);
    }
  }
}

/** Returns the pattern of numbers that RFC 7951 represents as strings. */
function patternOf({ base, fractionDigits = 1 }: YangType, range: readonly Interval[]): string {
  return base === 'decimal64' ? decimalPattern(range, fractionDigits) : integerPattern(range);
}

function nameOfType(type: YangType | undefined): string {
  return type?.typedef?.argument ?? type?.base ?? '';
}

/**
 * Returns the schema of integers in intervals. `not` excludes the numbers between the intervals, because form
 * libraries render `anyOf` as a menu.
 */
function integerSchema(range: readonly Interval[]): Schema {
  const first = range[0];
  const last = range.at(-1);
  if (first && first === last)
    return { type: 'integer', minimum: Number(first.from), maximum: Number(first.to) };
  const gaps = gapsBetween(range).map(({ from, to }) => ({ minimum: Number(from), maximum: Number(to) }));
  const allowed = range.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
  return {
    type: 'integer',
    ...(first && { minimum: Number(first.from) }),
    ...(last && { maximum: Number(last.to) }),
    ...excludeAll(gaps),
    ...(gaps.length > 0 &&
      allowed.join(', ').length <= MAX_HINT_LENGTH && { 'x-hint': `must be ${allowed.join(', ')}` }),
  };
}

/** Maximum length of a message that lists all intervals of a range, in characters. */
const MAX_HINT_LENGTH = 120;

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
    pattern: patternOf(type, builtInRange),
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

/**
 * Formats of typedefs whose definition accepts no other value than the format (RFC 6991, RFC 9911). Addresses
 * with a zone index have no format. A `uri` may be empty, so its format is `uri-reference`.
 */
const FORMATS: Readonly<Record<string, string>> = {
  'ietf-yang-types:date-and-time': 'date-time',
  'ietf-yang-types:date-no-zone': 'date',
  'ietf-yang-types:uuid': 'uuid',
  'ietf-inet-types:ipv4-address-no-zone': 'ipv4',
  'ietf-inet-types:ipv6-address-no-zone': 'ipv6',
  'ietf-inet-types:uri': 'uri-reference',
};

/** Returns the `format` of a string type, from the typedefs that it is derived from. */
function formatOf({ typedef }: YangType, names: Names): { readonly format?: string } {
  for (let next = typedef; next; next = baseTypedef(next, names)) {
    const format = FORMATS[`${names.unitOf(next).module.name}:${next.argument}`];
    if (format !== undefined) return { format };
  }
  return {};
}

function baseTypedef(typedef: Statement, names: Names): Statement | undefined {
  const type = childOf(typedef, 'type');
  return type && names.definition('typedef', type, type.argument);
}
