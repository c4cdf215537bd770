import { isJsonObject } from '../../core/json-object.js';
import type { OpenApiDocument } from '../../core/openapi.js';
import { valueAt } from '../../core/pointer.js';
import type { JsonSchema } from '../../core/schema.js';

/** Replaces the reference of a schema by its target; the schema's own members take precedence. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

/**
 * Creates a resolver for references inside a document; a dangling or circular reference accepts any value.
 */
export function resolverOf(document: OpenApiDocument): Resolve {
  const follow = (schema: JsonSchema, seen: readonly string[]): JsonSchema => {
    const { $ref, ...own } = schema;
    if (typeof $ref !== 'string') return schema;
    const target = seen.includes($ref) ? undefined : valueAt(document, $ref.slice(1));
    return isSchema(target) ? { ...follow(target, [...seen, $ref]), ...own } : own;
  };
  return (schema) => follow(schema, []);
}

/** Returns true for a schema that is an object. The schemas `true` and `false` contain no information. */
export function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

/** Returns the schemas of the members of an object, by name. */
export function membersOf({ properties }: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  if (!isSchema(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => [name, isSchema(schema) ? schema : {}]);
}

/** Returns the schemas that a schema combines with `oneOf`, `anyOf` or `allOf`. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.filter(isSchema) : [];
  });
}

/** Returns true if the schema of an object requires this member. */
export function isRequired({ required }: JsonSchema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** Returns the JSON types that a schema allows. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
}
