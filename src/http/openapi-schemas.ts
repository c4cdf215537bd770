import type { JsonSchema } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';

/** The schemas of an API description. Each schema with a title becomes one component, to which others refer. */
export interface SchemaComponents {
  /** Returns a schema as the description contains it: a reference to its component if it has a title. */
  readonly describe: (schema: JsonSchema) => JsonSchema;
  /** Returns the components by name, in the order in which they were described first. */
  readonly all: () => Readonly<Record<string, JsonSchema>>;
}

/**
 * Creates the components of one description. `describe` throws for two different schemas with the same title,
 * which is a bug: generators make one type of a title.
 */
export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, JsonSchema>();

  function describe(schema: JsonSchema): JsonSchema {
    const members = withDescribedParts(plainSchema(schema), describe);
    const { title } = members;
    if (typeof title !== 'string') return members;
    const name = componentName(title);
    const { isNullable, schema: described } = withoutNull(members);
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(described))
      throw new Error(`two schemas have the title "${title}"`);
    components.set(name, described);
    const reference = { $ref: `#/components/schemas/${name}` };
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
  }

  return { describe, all: () => Object.fromEntries(components) };
}

/** Returns the name of a component: the words of its title, each with an upper-case letter. */
export function componentName(title: string): string {
  const words = title.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + wordRest(word)).join('');
}

/** Returns the rest of a word; abbreviations such as JSON become `Json`. */
function wordRest(word: string): string {
  return /^[A-Z0-9]+$/.test(word) ? word.slice(1).toLowerCase() : word.slice(1);
}

/**
 * Returns the same schema in words that every generator reads: one type, or one type and null, also beside
 * `const` and `enum`; `items` in each array; `additionalProperties` in each object without members. The
 * schema accepts the same values, except for the keywords of `x-documented`.
 */
function plainSchema(schema: JsonSchema): JsonSchema {
  const { 'x-documented': documented, ...rest } = schema;
  const whole = withType({ ...rest, ...(isJsonObject(documented) && documented) });
  const types = typesOf(whole);
  if (types.filter((type) => type !== 'null').length > 1) return plainSchema(asAlternatives(whole, types));
  return {
    ...whole,
    ...(types.includes('array') && whole['items'] === undefined && { items: {} }),
    ...(types.includes('object') &&
      isFreeForm(whole) && { additionalProperties: whole['maxProperties'] !== 0 }),
  };
}

function typesOf({ type }: JsonSchema): readonly unknown[] {
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

function isFreeForm(schema: JsonSchema): boolean {
  return ['properties', 'additionalProperties', 'patternProperties'].every(
    (key) => schema[key] === undefined,
  );
}

/**
 * Adds the type of the values of `const` and `enum`. A single boolean becomes a boolean that is not the other,
 * because generators have no type for it.
 */
function withType(schema: JsonSchema): JsonSchema {
  const { type: ownType, const: only, enum: values, ...rest } = schema;
  const listed = Array.isArray(values) ? (values as readonly unknown[]) : only === undefined ? [] : [only];
  if (listed.length === 0) return schema;
  const [first, ...others] = [...new Set(listed.map(typeOfValue))];
  const type = ownType ?? (others.length === 0 ? first : [first, ...others]);
  const [boolean, ...booleans] = listed.filter((value) => typeof value === 'boolean');
  if (boolean === undefined || booleans.length > 0) return { type, ...schema };
  return { type, ...rest, not: { type: 'boolean', const: !boolean } };
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Keywords that concern values of one type only. */
const KEYWORDS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'maxProperties',
    'minProperties',
  ],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
};

/** Splits a schema with several types into one alternative for each type. */
function asAlternatives(schema: JsonSchema, types: readonly unknown[]): JsonSchema {
  const typed = Object.values(KEYWORDS_BY_TYPE).flat();
  const shared = Object.entries(schema).filter(([key]) => key !== 'type' && !typed.includes(key));
  const anyOf = types.map((type) => {
    const own = (KEYWORDS_BY_TYPE[String(type)] ?? []).filter((key) => schema[key] !== undefined);
    return { type, ...Object.fromEntries(own.map((key) => [key, schema[key]])) };
  });
  return { ...Object.fromEntries(shared), anyOf };
}

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const SCHEMA_KEYWORDS = ['items', 'additionalProperties', 'propertyNames', 'if', 'then', 'else'];
const LIST_KEYWORDS = ['oneOf', 'anyOf', 'allOf'];
const MAP_KEYWORDS = ['properties', 'patternProperties'];

/** Describes the schemas inside a schema. */
function withDescribedParts(schema: JsonSchema, describe: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const describePart = (part: unknown): unknown => (isJsonObject(part) ? describe(part) : part);
  const members = Object.entries(schema).map(([key, value]): readonly [string, unknown] => {
    if (SCHEMA_KEYWORDS.includes(key)) return [key, describePart(value)];
    if (LIST_KEYWORDS.includes(key) && Array.isArray(value)) return [key, value.map(describePart)];
    if (MAP_KEYWORDS.includes(key) && isJsonObject(value)) return [key, mapValues(value, describePart)];
    return [key, value];
  });
  return Object.fromEntries(members);
}

function mapValues(object: JsonSchema, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Removes null from the types of a schema. */
function withoutNull(schema: JsonSchema): { readonly isNullable: boolean; readonly schema: JsonSchema } {
  const types = typesOf(schema);
  if (!types.includes('null') || types.length === 1) return { isNullable: false, schema };
  const [type] = types.filter((name) => name !== 'null');
  return { isNullable: true, schema: { ...schema, type } };
}
