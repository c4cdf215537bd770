import { isJsonObject } from './json-object.js';

/**
 * Returns JSON text that depends only on the value (RFC 8785), with each `bigint` as a number. The members of every object
 * are sorted by their UTF-16 code units.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names.sort().map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`; // prettier-ignore
}
