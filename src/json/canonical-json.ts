import { isJsonObject } from './json-object.js';

/**
 * Returns JSON text that depends only on the value (RFC 8785), with each `bigint` as a number. The members of every object
 * are sorted by their UTF-16 code units.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Map());
}

/** Documents repeat few names many times. `quoted` has the JSON of each. */
function write(value: unknown, quoted: Map<string, string>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += `${items && ','}${write(item, quoted)}`;
    return `[${items}]`;
  }
  if (!isJsonObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    let text = quoted.get(name);
    if (text === undefined) quoted.set(name, (text = JSON.stringify(name)));
    members += `${members && ','}${text}:${write(member, quoted)}`;
  }
  return `{${members}}`;
}
