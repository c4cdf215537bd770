import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { titleOf } from './field-edits.js';

/**
 * Returns a schema (draft 2020-12) for documents like this example. A member is required if all objects at its
 * location have it.
 */
export function inferSchema(example: unknown): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schemaOf([example], 0),
    examples: [example],
  };
}

/** Maximum nesting depth; deeper levels are ignored. */
const MAX_LEVELS = 64;

/** Returns the schema that describes all of these values. */
function schemaOf(values: readonly unknown[], level: number): JsonObject {
  const types = [...new Set(values.map(typeOf))];
  const [type] = types;
  if (type === undefined || level > MAX_LEVELS) return {};
  if (types.length > 1) return mixedTypes(types);
  if (type === 'object') return objectSchema(values.filter(isJsonObject), level);
  if (type === 'array') return listSchema(values as readonly (readonly unknown[])[], level);
  if (type === 'string') return { type, ...formatOf(values as readonly string[]) };
  return { type };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function mixedTypes(types: readonly string[]): JsonObject {
  const names = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { type: names.length === 1 ? names[0] : names };
}

function objectSchema(objects: readonly JsonObject[], level: number): JsonObject {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const properties = names.map((name) => {
    const values = objects.filter((object) => Object.hasOwn(object, name)).map((object) => object[name]);
    return [name, { title: titleOf(name), ...schemaOf(values, level + 1) }];
  });
  const required = names.filter((name) => objects.every((object) => Object.hasOwn(object, name)));
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonObject,
    ...(required.length > 0 && { required }),
  };
}

function listSchema(lists: readonly (readonly unknown[])[], level: number): JsonObject {
  const entries = lists.flat();
  return { type: 'array', ...(entries.length > 0 && { items: schemaOf(entries, level + 1) }) };
}

const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['ipv4', /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
  ['ipv6', /^(?=.*:.*:)[0-9a-f:]+$/i],
  ['email', /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i],
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
];

/** Returns the format that all texts have, if there is one. */
function formatOf(texts: readonly string[]): JsonObject {
  const found = FORMATS.find(([, pattern]) => texts.every((text) => pattern.test(text)));
  return found ? { format: found[0] } : {};
}
