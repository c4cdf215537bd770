import { splitRepeats } from '../../lib/pattern-repeats.js';
import type { SchemaNode } from '../tree/schema-node.js';
import type { YangType } from '../types/yang-type.js';
import type { Schema } from './definitions.js';
import type { Dialect } from './dialect.js';

/** Returns the types of a union, for form libraries with those of its unions, which would be menus in a menu. */
export function memberTypesOf({ members = [] }: YangType, dialect: Dialect): readonly YangType[] {
  if (dialect === 'plain') return members;
  return members.flatMap((member) => (member.base === 'union' ? memberTypesOf(member, dialect) : [member]));
}

/**
 * Returns one schema without `anyOf` that accepts what any of the schemas accepts, which form libraries render as one
 * field: of patterns, of lists of names, or of schemas that a schema without limits contains. Returns undefined for other unions.
 */
export function joinedUnion(schemas: readonly Schema[]): Schema | undefined {
  return joinedPatterns(schemas) ?? joinedNames(schemas) ?? widest(schemas);
}

/** Returns undefined also if the pattern would be too large. */
function joinedPatterns(schemas: readonly Schema[]): Schema | undefined {
  const patterns = schemas.flatMap(({ type, pattern, ...others }) =>
    type === 'string' && typeof pattern === 'string' && Object.keys(others).length === 0 ? [pattern] : [],
  );
  if (patterns.length === 0 || patterns.length < schemas.length) return undefined;
  const joined = splitRepeats(patterns.map((pattern) => `(?:${pattern})`).join('|'));
  return 'source' in joined ? { type: 'string', pattern: joined.source } : undefined;
}

function joinedNames(schemas: readonly Schema[]): Schema | undefined {
  if (schemas.some((schema) => !Array.isArray(schema['enum']) || schema['type'] !== 'string'))
    return undefined;
  const members = (keyword: string) =>
    schemas.flatMap((schema) => (schema[keyword] as readonly unknown[] | undefined) ?? []);
  return { type: 'string', enum: [...new Set(members('enum'))], 'x-yang-enum': members('x-yang-enum') };
}

/** Returns the schema that contains all others: of strings of any kind, or of integers without gaps. */
function widest(schemas: readonly Schema[]): Schema | undefined {
  // A list of names is worth a menu beside the text.
  if (schemas.some((schema) => 'enum' in schema || 'oneOf' in schema)) return undefined;
  const [first] = schemas;
  if (schemas.some(({ type }) => type !== first?.['type'])) return undefined;
  return schemas.find((schema) => schemas.every((other) => contains(schema, other)));
}

function contains(schema: Schema, other: Schema): boolean {
  const { type, minimum, maximum, ...others } = schema;
  if (Object.keys(others).length > 0) return false;
  if (type === 'string') return true;
  return (
    type === 'integer' &&
    Number(minimum) <= Number(other['minimum']) &&
    Number(other['maximum']) <= Number(maximum)
  );
}

/** Returns the JSON type of all values of a type (RFC 7951 section 6); undefined if they have several types. */
export function jsonTypeOf(type: YangType, node: SchemaNode): string | undefined {
  switch (type.base) {
    case 'union': {
      const types = new Set((type.members ?? []).map((member) => jsonTypeOf(member, node)));
      return types.size === 1 ? [...types][0] : undefined;
    }
    case 'leafref': {
      const target = node.targets?.get(type);
      return target?.type && jsonTypeOf(target.type, target);
    }
    case 'boolean':
      return 'boolean';
    case 'empty':
      return undefined;
    default:
      return /^u?int(?:8|16|32)$/.test(type.base) ? 'integer' : 'string';
  }
}
