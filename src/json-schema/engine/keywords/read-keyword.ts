import { isJsonObject, type JsonObject, memberOf } from '../../../json/json-object.js';

/** A number of JSON; a `bigint` is a whole number that a double does not keep. */
export type JsonNumber = number | bigint;

export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns the value of a keyword if the value is a number, otherwise undefined. */
export function numberIn(schema: JsonObject, keyword: string): JsonNumber | undefined {
  const value = memberOf(schema, keyword);
  return isJsonNumber(value) ? value : undefined;
}

/** Returns the value of a keyword if the value is a string, otherwise undefined. */
export function textIn(schema: JsonObject, keyword: string): string | undefined {
  const value = memberOf(schema, keyword);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the value of a keyword if the value is an array, otherwise an empty array. */
export function listIn(schema: JsonObject, keyword: string): readonly unknown[] {
  const value = memberOf(schema, keyword);
  return Array.isArray(value) ? value : [];
}

/** Returns the strings in an array; empty for other values. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns the members of a keyword whose value is an object; empty for other values. */
export function membersIn(schema: JsonObject, keyword: string): readonly (readonly [string, unknown])[] {
  const value = memberOf(schema, keyword);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Returns true for an object or a boolean, which can be a schema. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** Returns the value of a keyword if the value can be a schema, otherwise undefined. */
export function schemaIn(schema: JsonObject, keyword: string): unknown {
  const value = memberOf(schema, keyword);
  return isSchema(value) ? value : undefined;
}

/** Returns a name in quotes for a message, truncated if the name is too long. */
export function quoted(name: string): string {
  return `"${truncate(name)}"`;
}

/** Truncates a name from a schema or value if the name is too long for a message. */
export function truncate(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** Maximum length of a name in a message, in characters. */
const MAX_SHOWN_LENGTH = 200;
