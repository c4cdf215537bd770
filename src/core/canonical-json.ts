import { isJsonObject } from './json-object.js';

/** JSON whose text depends on the value alone (RFC 8785): the members of every object stand in the order of their UTF-16 code units. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names.sort().map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`; // prettier-ignore
}
