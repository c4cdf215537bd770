import { isJsonObject, type JsonObject } from '../../../../../src/core/json-object.js';
import type { Field } from './field.js';
import type { SchemaDocument, SchemaPart } from './schema-document.js';

/** Tests of a schema search: for names, titles and descriptions, and for other keywords. */
export interface SchemaTest {
  readonly text: (text: string) => boolean;
  readonly schema: (schema: JsonObject) => boolean;
}

const MAP_KEYWORDS = ['patternProperties', 'dependentSchemas', 'dependencies'];
const SCHEMA_KEYWORDS = [
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedProperties',
  'if',
  'then',
  'else',
];
const LIST_KEYWORDS = ['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf'];
const UI_TEXT_KEYS: ReadonlySet<string> = new Set([
  'ui:title',
  'ui:description',
  'title',
  'description',
  'name',
]);

/**
 * Checks in the raw schemas whether a descendant of a field may match a search, so that fields that cannot
 * match are never created. The result may be true without a match, but is never false with a match.
 */
export class SchemaSearch {
  readonly #test: SchemaTest;
  readonly #results = new Map<object, boolean>();

  constructor(test: SchemaTest) {
    this.#test = test;
  }

  below({ parts, source: { document, ui } }: Field): boolean {
    return parts.some((part) => this.#matchesInside(document, part)) || this.#matchesUi(ui);
  }

  /** Returns true if a schema, or anything inside it, matches. */
  #matches(document: SchemaDocument, schema: unknown, from: SchemaPart): boolean {
    if (!isJsonObject(schema)) return false;
    const { title, description } = schema;
    if (typeof title === 'string' && this.#test.text(title)) return true;
    if (typeof description === 'string' && this.#test.text(description)) return true;
    return this.#test.schema(schema) || this.#matchesInside(document, { ...from, schema });
  }

  #matchesInside(document: SchemaDocument, part: SchemaPart): boolean {
    const known = this.#results.get(part.schema);
    if (known !== undefined) return known;
    // A schema that refers to itself matches only if its other parts do.
    this.#results.set(part.schema, false);
    const found = this.#searchPart(document, part);
    this.#results.set(part.schema, found);
    return found;
  }

  #searchPart(document: SchemaDocument, part: SchemaPart): boolean {
    const { schema } = part;
    if (this.#matchesProperty(document, part)) return true;
    for (const name of SCHEMA_KEYWORDS)
      if (schema[name] !== undefined && this.#matches(document, schema[name], part)) return true;
    for (const name of LIST_KEYWORDS) if (this.#matchesAny(document, schema[name], part)) return true;
    for (const name of MAP_KEYWORDS)
      if (isJsonObject(schema[name]) && this.#matchesAny(document, Object.values(schema[name]), part))
        return true;
    const target = typeof schema['$ref'] === 'string' ? document.resolve(schema['$ref'], part) : undefined;
    return target !== undefined && this.#matches(document, target.schema, target);
  }

  #matchesProperty(document: SchemaDocument, part: SchemaPart): boolean {
    const { properties } = part.schema;
    if (!isJsonObject(properties)) return false;
    for (const name in properties)
      if (this.#test.text(name) || this.#matches(document, properties[name], part)) return true;
    return false;
  }

  #matchesAny(document: SchemaDocument, schemas: unknown, part: SchemaPart): boolean {
    return Array.isArray(schemas) && schemas.some((schema) => this.#matches(document, schema, part));
  }

  #matchesUi(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && UI_TEXT_KEYS.has(name) && this.#test.text(inner)) return true;
      if (isJsonObject(inner) && this.#test.schema(inner)) return true;
      if (this.#matchesUi(inner)) return true;
    }
    return false;
  }
}
