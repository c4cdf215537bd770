import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../../../../src/json/json-object.js';
import { pointerTo } from '../../../../../src/json/pointer.js';
import { textsOf } from './keywords.js';
import { flatten, type SchemaDocument, type SchemaPart } from './schema-document.js';

/** Returns the names under `properties`, each once. */
export function declaredNames(parts: readonly SchemaPart[]): readonly string[] {
  const [only, ...others] = parts.filter(({ schema }) => isJsonObject(schema['properties']));
  if (!only) return [];
  if (others.length === 0) return Object.keys(propertiesOf(only));
  return [...new Set([only, ...others].flatMap((part) => Object.keys(propertiesOf(part))))];
}

/** Returns true if a name is declared under `properties`. */
export function isDeclared(parts: readonly SchemaPart[], name: string): boolean {
  return parts.some((part) => Object.hasOwn(propertiesOf(part), name));
}

/** Returns the schemas of a member that is declared under `properties`, or whose name matches a pattern. */
export function memberParts(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  name: string,
): readonly SchemaPart[] {
  return parts.flatMap((part) => {
    const schema = memberOf(propertiesOf(part), name);
    return schema === undefined ? [] : below(document, part, { schema, tokens: ['properties', name] });
  });
}

/**
 * Returns the schemas of a member whose name is not declared; undefined if the schema has no rule for such
 * members.
 */
export function additionalParts(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  name: string,
): readonly SchemaPart[] | undefined {
  const patterned = parts.flatMap((part) =>
    Object.entries(objectOf(part.schema['patternProperties']))
      .filter(([pattern]) => document.matches(pattern, name))
      .map(([pattern, schema]) => below(document, part, { schema, tokens: ['patternProperties', pattern] })),
  );
  if (patterned.length > 0) return patterned.flat();
  const open = parts.flatMap((part) => openMembers(part) ?? []);
  return open.length === 0 ? undefined : open.flatMap(({ part, ...rest }) => below(document, part, rest));
}

export function namePatterns(parts: readonly SchemaPart[]): readonly string[] {
  return parts.flatMap(({ schema }) => Object.keys(objectOf(schema['patternProperties'])));
}

/** Returns the names of members that `propertyNames` lists as `enum` or `examples`, each once. */
export function suggestedNames(parts: readonly SchemaPart[]): readonly string[] {
  const names = parts.flatMap(({ schema }) => {
    const rule = objectOf(schema['propertyNames']);
    return textsOf(rule['enum'] ?? rule['examples']);
  });
  return [...new Set(names)];
}

/** Returns true if members with any name may be added: the schema describes additional members. */
export function takesAnyName(parts: readonly SchemaPart[]): boolean {
  return parts.some((part) => openMembers(part) !== undefined) && !isClosed(parts);
}

/** Returns true if a schema refuses undeclared members. */
export function isClosed(parts: readonly SchemaPart[]): boolean {
  return parts.some(
    ({ schema }) => schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false,
  );
}

export function itemParts(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  index: number,
): readonly SchemaPart[] {
  return parts.flatMap((part) =>
    itemSchema(part.schema, index).flatMap((step) => below(document, part, step)),
  );
}

export function isTuple(parts: readonly SchemaPart[]): boolean {
  return parts.some(({ schema }) => tupleOf(schema) !== undefined);
}

/** Returns the number of positions that have their own schema. */
export function tupleLength(parts: readonly SchemaPart[]): number {
  return Math.max(0, ...parts.map(({ schema }) => tupleOf(schema)?.items.length ?? 0));
}

interface Step {
  readonly schema: unknown;
  readonly tokens: readonly (string | number)[];
}

/** Returns the flattened schemas of a subschema. */
export function below(
  document: SchemaDocument,
  part: SchemaPart,
  { schema, tokens }: Step,
): readonly SchemaPart[] {
  const pointer = tokens.reduce<string>(pointerTo, part.pointer);
  return flatten(document, schema, {
    pointer,
    resource: part.resource,
    resourcePointer: part.resourcePointer,
  });
}

function propertiesOf({ schema }: SchemaPart): JsonObject {
  return objectOf(schema['properties']);
}

function openMembers(part: SchemaPart): (Step & { readonly part: SchemaPart }) | undefined {
  const schema = part.schema['additionalProperties'] ?? part.schema['unevaluatedProperties'];
  return schema === true || isJsonObject(schema)
    ? { part, schema, tokens: ['additionalProperties'] }
    : undefined;
}

function tupleOf(
  schema: JsonObject,
): { readonly items: readonly unknown[]; readonly name: string } | undefined {
  for (const name of ['prefixItems', 'items']) {
    const items = schema[name];
    if (Array.isArray(items)) return { items, name };
  }
  return undefined;
}

function itemSchema(schema: JsonObject, index: number): readonly Step[] {
  const tuple = tupleOf(schema);
  const own = tuple?.items[index];
  if (tuple && own !== undefined) return [{ schema: own, tokens: [tuple.name, index] }];
  const name = tuple?.name === 'items' ? 'additionalItems' : 'items';
  return schema[name] === undefined ? [] : [{ schema: schema[name], tokens: [name] }];
}
