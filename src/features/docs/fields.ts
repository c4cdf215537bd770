import type { JsonSchema } from '../../core/schema.js';
import type { OpenApiDocument } from '../../http/openapi-types.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { sentence } from '../../lib/sentence.js';

/** A member of a schema, as one row of a table. */
interface Field {
  /** Path from the root, for example `forms[].name` or `headers.*`; empty for the root. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** A schema during the traversal; its ancestors serve to detect cycles. */
interface SchemaNode {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly ancestors: readonly unknown[];
}

/** Maximum depth of the listed members. */
const MAX_FIELD_DEPTH = 8;

/**
 * Returns every member of a schema, parents first. The root has a separate row unless it is a plain object.
 */
export function fieldsOf(schema: JsonSchema, resolve: Resolve): readonly Field[] {
  const isPlain = membersOf(resolve(schema)).length > 0;
  const fields = fieldsAt({ name: '', schema, isRequired: true, ancestors: [] }, resolve);
  const seen = new Set<string>();
  return fields.slice(isPlain ? 1 : 0).filter(({ name, type }) => {
    const row = `${name} ${type}`;
    return !seen.has(row) && seen.add(row);
  });
}

function fieldsAt(node: SchemaNode, resolve: Resolve): readonly Field[] {
  const schema = resolve(node.schema);
  const { name, isRequired } = node;
  const field = { name, isRequired, type: typeText(schema, resolve), meaning: meaningOf(schema) };
  return [field, ...nestedFields({ ...node, schema }, resolve)];
}

/** Returns the nested fields; lists and alternatives contribute their members without a separate row. */
function nestedFields({ name, schema, ancestors }: SchemaNode, resolve: Resolve): readonly Field[] {
  // A reference creates a new schema object each time, but with the same `properties` object.
  const identity = schema['properties'] ?? schema;
  if (ancestors.length >= MAX_FIELD_DEPTH || ancestors.includes(identity)) return [];
  const nested = { ancestors: [...ancestors, identity], isRequired: false };
  const prefix = name === '' ? '' : `${name}.`;
  const { items, additionalProperties: additional } = schema;
  const parts = alternativesOf(schema).map((part) => ({ ...nested, name, schema: resolve(part) }));
  const list = isSchema(items) ? [{ ...nested, name: `${name}[]`, schema: resolve(items) }] : [];
  return [
    ...membersOf(schema).flatMap(([key, member]) =>
      fieldsAt(
        { ...nested, name: prefix + key, schema: member, isRequired: requiresMember(schema, key) },
        resolve,
      ),
    ),
    ...(isSchema(additional) ? fieldsAt({ ...nested, name: `${prefix}*`, schema: additional }, resolve) : []),
    ...[...list, ...parts].flatMap((node) => nestedFields(node, resolve)),
  ];
}

/** Returns the type in words, for example `list of text or null`. */
function typeText(schema: JsonSchema, resolve: Resolve): string {
  const { items } = schema;
  const named = typesOf(schema).map((type) =>
    type === 'array' && isSchema(items)
      ? `list of ${typeText(resolve(items), resolve)}`
      : (TYPE_WORDS[type] ?? type),
  );
  const alternatives = alternativesOf(schema).map((part) => typeText(resolve(part), resolve));
  const fixed = [schema['const'], schema['enum']].flat().filter((value) => value !== undefined);
  const values = fixed.map((value) => (value === null ? 'null' : (TYPE_WORDS[typeof value] ?? typeof value)));
  const [words = []] = [named, alternatives, values].filter((list) => list.length > 0);
  return [...new Set(words)].join(' or ') || 'anything';
}

const TYPE_WORDS: Readonly<Record<string, string>> = { string: 'text', array: 'list' };

/** Keywords that limit a value, with their words. */
const CONSTRAINTS: readonly (readonly [keyword: string, words: string])[] = [
  ['const', 'Always'],
  ['enum', 'One of'],
  ['default', 'Default:'],
  ['format', 'Format:'],
  ['minimum', 'At least'],
  ['maximum', 'At most'],
  ['minLength', 'Characters, at least'],
  ['maxLength', 'Characters, at most'],
  ['minItems', 'Elements, at least'],
  ['maxItems', 'Elements, at most'],
];

/** Returns the description and the constraints of a schema as sentences. */
function meaningOf(schema: JsonSchema): string {
  const constraints = CONSTRAINTS.flatMap(([key, words]) =>
    schema[key] === undefined ? [] : [`${words} ${valueText(schema[key])}`],
  );
  const hint = schema['x-hint'];
  const texts = [schema['description'], typeof hint === 'string' ? `It ${hint}` : undefined].filter(
    (text) => typeof text === 'string',
  );
  return [...texts, ...constraints].map(sentence).join(' ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** Replaces the `$ref` of a schema by its target. The schema's own members take precedence. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Creates a resolver for references inside a document. Ignores dangling and circular references. */
export function resolverOf(document: OpenApiDocument): Resolve {
  const follow = (schema: JsonSchema, seen: readonly string[]): JsonSchema => {
    const { $ref, ...ownMembers } = schema;
    if (typeof $ref !== 'string') return schema;
    const target = seen.includes($ref) ? undefined : valueAt(document, $ref.slice(1));
    return isSchema(target) ? { ...follow(target, [...seen, $ref]), ...ownMembers } : ownMembers;
  };
  return (schema) => follow(schema, []);
}

/** Returns true for a schema that is an object. The schemas `true` and `false` describe nothing. */
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

export function requiresMember({ required }: JsonSchema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

export function typesOf({ type }: JsonSchema): readonly string[] {
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
}
