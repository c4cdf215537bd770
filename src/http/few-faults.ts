import type { JsonSchema } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';

/** Maximum number of unknown members, and of items of another type in one array, that are still validated. */
const MAX_FAULTS = 100;

/**
 * Returns a body that has very many faults with the first of these alone: members that its schema does not know, and items of
 * another type in an array. Such a body is refused, and an error for each fault would take the time of all of them.
 */
export function withFewFaults(schema: JsonSchema, body: unknown): unknown {
  const { properties } = schema;
  if (!isJsonObject(properties) || !isJsonObject(body)) return body;
  const few = schema['additionalProperties'] === false ? withFewUnknown(properties, body) : body;
  const cut = Object.entries(properties).flatMap(([name, member]) => {
    const length = lengthToValidate(member, few[name]);
    return length === undefined ? [] : [[name, (few[name] as readonly unknown[]).slice(0, length)]];
  });
  return cut.length > 0 ? { ...few, ...Object.fromEntries(cut) } : few;
}

function withFewUnknown(properties: JsonSchema, body: JsonSchema): JsonSchema {
  const names = Object.keys(body);
  if (names.length <= MAX_FAULTS + Object.keys(properties).length) return body;
  const unknown = names.filter((name) => !Object.hasOwn(properties, name)).slice(0, MAX_FAULTS);
  const known = Object.keys(properties).filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries([...known, ...unknown].map((name) => [name, body[name]]));
}

/** Returns the length up to the last of the faults that are validated; undefined if an array has fewer. */
function lengthToValidate(schema: unknown, value: unknown): number | undefined {
  if (!Array.isArray(value) || value.length <= MAX_FAULTS || !isJsonObject(schema)) return undefined;
  const { items } = schema;
  if (!isJsonObject(items) || (items['type'] !== 'string' && items['type'] !== 'object')) return undefined;
  const isRight =
    items['type'] === 'object' ? isJsonObject : (item: unknown): boolean => typeof item === 'string';
  let faults = 0;
  const last = value.findIndex((item) => !isRight(item) && (faults += 1) === MAX_FAULTS);
  return last < 0 ? undefined : last + 1;
}
