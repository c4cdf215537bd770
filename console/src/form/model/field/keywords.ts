import { isJsonObject, type JsonObject, memberOf } from '../../../../../src/core/json-object.js';
import type { SchemaPart } from './schema-document.js';

/** The value that a keyword has in the first of some schemas that has it. */
export function keyword(parts: readonly SchemaPart[], name: string): unknown {
  for (const { schema } of parts) {
    const value = memberOf(schema, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The same, when it is a text that is not empty. */
export function textKeyword(parts: readonly SchemaPart[], name: string): string | undefined {
  const value = keyword(parts, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a value that is a list of texts; none when it is something else. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The object that a keyword is; empty when it is none. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Objects among the members of a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
