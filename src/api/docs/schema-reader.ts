import { isJsonObject } from '../../core/json-object.js';
import type { OpenApiDocument } from '../../core/openapi.js';
import { valueAt } from '../../core/pointer.js';
import type { JsonSchema } from '../../core/schema.js';

/** A schema as it is written, with what it refers to in its place. Its own words go before those it refers to. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Follows the references inside of a document; one that leads nowhere or in a circle becomes a schema of anything. */
export function resolverOf(document: OpenApiDocument): Resolve {
  const follow = (schema: JsonSchema, seen: readonly string[]): JsonSchema => {
    const { $ref, ...own } = schema;
    if (typeof $ref !== 'string') return schema;
    const target = seen.includes($ref) ? undefined : valueAt(document, $ref.slice(1));
    return isSchema(target) ? { ...follow(target, [...seen, $ref]), ...own } : own;
  };
  return (schema) => follow(schema, []);
}

/** True for a schema that is an object: `true` and `false` are schemas as well, and tell nothing. */
export function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

/** The schemas of the members of an object, by name. */
export function membersOf({ properties }: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  if (!isSchema(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => [name, isSchema(schema) ? schema : {}]);
}

/** The schemas that a schema chooses among or puts together. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.filter(isSchema) : [];
  });
}

/** True when the schema of an object asks for this member. */
export function isRequired({ required }: JsonSchema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** The JSON types that a schema names. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
}
