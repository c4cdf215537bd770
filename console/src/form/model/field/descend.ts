import { isJsonObject, type JsonObject } from '../../../../../src/core/json-object.js';
import type { Field } from './field.js';
import type { SchemaDocument, SchemaPart } from './schema-document.js';

/** A search in schemas: by name, title and description, or by other keywords. */
export interface SchemaTest {
  readonly text: (text: string) => boolean;
  readonly schema: (schema: JsonObject) => boolean;
}

const MAPS = ['patternProperties', 'dependentSchemas', 'dependencies'];
const SINGLE = [
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedProperties',
  'if',
  'then',
  'else',
];
const LISTS = ['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf'];
const UI_TEXTS: ReadonlySet<string> = new Set(['ui:title', 'ui:description', 'title', 'description', 'name']);

/**
 * Checks in the raw schemas whether anything below a field may match a search. So of 94,000 fields, those
 * that cannot match are never created. May return true without a match, but never false if there is one.
 */
export class DescendOptions {
  readonly #test: SchemaTest;
  readonly #known = new Map<object, boolean>();

  constructor(test: SchemaTest) {
    this.#test = test;
  }

  below({ parts, source: { document, ui } }: Field): boolean {
    return parts.some((part) => this.#inside(document, part)) || this.#inUi(ui);
  }

  /** True if a schema, or anything inside it, matches. */
  #holds(document: SchemaDocument, schema: unknown, from: SchemaPart): boolean {
    if (!isJsonObject(schema)) return false;
    const { title, description } = schema;
    if (typeof title === 'string' && this.#test.text(title)) return true;
    if (typeof description === 'string' && this.#test.text(description)) return true;
    return this.#test.schema(schema) || this.#inside(document, { ...from, schema });
  }

  #inside(document: SchemaDocument, part: SchemaPart): boolean {
    const known = this.#known.get(part.schema);
    if (known !== undefined) return known;
    // A schema that refers to itself matches only if its other parts do.
    this.#known.set(part.schema, false);
    const found = this.#search(document, part);
    this.#known.set(part.schema, found);
    return found;
  }

  #search(document: SchemaDocument, part: SchemaPart): boolean {
    const { schema } = part;
    if (this.#inProperties(document, part)) return true;
    for (const name of SINGLE)
      if (schema[name] !== undefined && this.#holds(document, schema[name], part)) return true;
    for (const name of LISTS) if (this.#inList(document, schema[name], part)) return true;
    for (const name of MAPS)
      if (isJsonObject(schema[name]) && this.#inList(document, Object.values(schema[name]), part))
        return true;
    const target = typeof schema['$ref'] === 'string' ? document.refer(schema['$ref'], part) : undefined;
    return target !== undefined && this.#holds(document, target.schema, target);
  }

  #inProperties(document: SchemaDocument, part: SchemaPart): boolean {
    const { properties } = part.schema;
    if (!isJsonObject(properties)) return false;
    for (const name in properties)
      if (this.#test.text(name) || this.#holds(document, properties[name], part)) return true;
    return false;
  }

  #inList(document: SchemaDocument, schemas: unknown, part: SchemaPart): boolean {
    return Array.isArray(schemas) && schemas.some((schema) => this.#holds(document, schema, part));
  }

  #inUi(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && UI_TEXTS.has(name) && this.#test.text(inner)) return true;
      if (isJsonObject(inner) && this.#test.schema(inner)) return true;
      if (this.#inUi(inner)) return true;
    }
    return false;
  }
}
