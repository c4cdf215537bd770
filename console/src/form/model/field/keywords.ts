import { isJsonObject, type JsonObject, memberOf } from '../../../../../src/core/json-object.js';
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
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the objects in a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
