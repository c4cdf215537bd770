import { isJsonObject, type JsonObject, memberOf } from '../../../core/json-object.js';

/** A keyword whose value is a number; undefined when it is none. */
export function numberIn(schema: JsonObject, keyword: string): number | undefined {
  const value = memberOf(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

/** A keyword whose value is a text. */
export function textIn(schema: JsonObject, keyword: string): string | undefined {
  const value = memberOf(schema, keyword);
  return typeof value === 'string' ? value : undefined;
}

/** A keyword whose value is a list; empty when it is none. */
export function listIn(schema: JsonObject, keyword: string): readonly unknown[] {
  const value = memberOf(schema, keyword);
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The members of a keyword whose value is an object. */
export function membersIn(schema: JsonObject, keyword: string): readonly (readonly [string, unknown])[] {
  const value = memberOf(schema, keyword);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** True for what may stand where a schema is wanted. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** Where a keyword's value is a schema: that schema. */
export function schemaIn(schema: JsonObject, keyword: string): unknown {
  const value = memberOf(schema, keyword);
  return isSchema(value) ? value : undefined;
}

/** A name in a message, cut where it is too long. */
export function quoted(name: string): string {
  return `"${shown(name)}"`;
}

/** A text of the caller's, cut where it is too long. */
export function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const SHOWN = 200;
