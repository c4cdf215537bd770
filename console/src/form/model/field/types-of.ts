import { isJsonObject } from '../../../../../src/core/json-object.js';
import { textsOf } from './keywords.js';
import type { SchemaPart } from './schema-document.js';

const OBJECT = ['properties', 'patternProperties', 'additionalProperties', 'required', 'propertyNames'];
const ARRAY = ['items', 'prefixItems', 'contains', 'uniqueItems'];

/**
 * Returns the types that all schemas allow. Without `type`, they are inferred from other keywords; empty if
 * unknown.
 */
export function typesOf(parts: readonly SchemaPart[]): readonly string[] {
  const written = parts
    .map(({ schema: { type } }) => (typeof type === 'string' ? [type] : textsOf(type)))
    .filter((types) => types.length > 0);
  const [first, ...others] = written;
  if (!first) return guessed(parts);
  return first.filter((type) => others.every((types) => types.includes(type) || isNarrower(type, types)));
}

/** True for the type of a scalar value. */
export function isScalarType(type: string): boolean {
  return type !== 'object' && type !== 'array';
}

function isNarrower(type: string, types: readonly string[]): boolean {
  return type === 'integer' && types.includes('number');
}

function guessed(parts: readonly SchemaPart[]): readonly string[] {
  const has = (names: readonly string[]) =>
    parts.some(({ schema }) => names.some((name) => schema[name] !== undefined));
  if (has(OBJECT)) return ['object'];
  if (has(ARRAY)) return ['array'];
  const [constant] = parts.flatMap(({ schema }) => ('const' in schema ? [schema['const']] : []));
  if (constant !== undefined)
    return [isJsonObject(constant) ? 'object' : Array.isArray(constant) ? 'array' : 'string'];
  return has(['pattern', 'format', 'minLength', 'maxLength'])
    ? ['string']
    : has(['minimum', 'maximum'])
      ? ['number']
      : [];
}
