import { isJsonObject, type JsonObject, memberOf } from '../../../../../src/json/json-object.js';
import { isList, isMembers, type Json, plainValue } from '../json/json.js';
import type { SchemaPart } from './schema-document.js';

/** Returns the value of a keyword from the first schema that has it. */
export function keyword(parts: readonly SchemaPart[], name: string): unknown {
  for (const { schema } of parts) {
    const value = memberOf(schema, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Same as {@link keyword}, for a non-empty string. */
export function textKeyword(parts: readonly SchemaPart[], name: string): string | undefined {
  const value = keyword(parts, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the strings of a list; an empty list for any other value. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

const OBJECT_KEYWORDS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'propertyNames',
];
const ARRAY_KEYWORDS = ['items', 'prefixItems', 'contains', 'uniqueItems'];

/**
 * Returns the types that all schemas allow. Without `type`, they are inferred from other keywords; empty if
 * unknown.
 */
export function typesOf(parts: readonly SchemaPart[]): readonly string[] {
  const written = parts
    .map(({ schema: { type } }) => (typeof type === 'string' ? [type] : textsOf(type)))
    .filter((types) => types.length > 0);
  const [first, ...others] = written;
  if (!first) return inferredTypes(parts);
  return first.filter((type) => others.every((types) => types.includes(type) || isNarrower(type, types)));
}

export function isScalarType(type: string): boolean {
  return type !== 'object' && type !== 'array';
}

function isNarrower(type: string, types: readonly string[]): boolean {
  return type === 'integer' && types.includes('number');
}

function inferredTypes(parts: readonly SchemaPart[]): readonly string[] {
  const has = (names: readonly string[]) =>
    parts.some(({ schema }) => names.some((name) => schema[name] !== undefined));
  if (has(OBJECT_KEYWORDS)) return ['object'];
  if (has(ARRAY_KEYWORDS)) return ['array'];
  const [constant] = parts.flatMap(({ schema }) => ('const' in schema ? [schema['const']] : []));
  if (constant !== undefined)
    return [isJsonObject(constant) ? 'object' : Array.isArray(constant) ? 'array' : 'string'];
  return has(['pattern', 'format', 'minLength', 'maxLength'])
    ? ['string']
    : has(['minimum', 'maximum'])
      ? ['number']
      : [];
}

export function fitsType(value: Json, type: string): boolean {
  const plain = plainValue(value);
  if (type === 'array') return isList(value);
  if (type === 'object') return isMembers(value);
  if (type === 'null') return value === null;
  if (typeof plain === 'bigint') return type === 'integer' || type === 'number';
  if (type === 'integer') return Number.isInteger(plain);
  return typeof plain === type;
}
