import { isJsonObject, type JsonObject } from '../../../../../src/core/json-object.js';
import type { SchemaPart } from './schema-part.js';

const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedProperties',
  'if',
  'then',
  'else',
]);
const LIST_KEYWORDS: ReadonlySet<string> = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf']);

/** What a search looks for in a schema. `text` has no flag `g`. */
export interface SchemaTest {
  /** Matches names, titles and descriptions. */
  readonly text?: RegExp | undefined;
  readonly schema?: ((schema: JsonObject) => boolean) | undefined;
}

/** A document, and how its schemas refer to each other. */
export interface IndexedDocument {
  readonly root: unknown;
  readonly targetsOf: (part: SchemaPart) => readonly SchemaPart[];
}

/** Separates the texts of two schemas. No word of a search contains it. */
const SEPARATOR = '\u0000';

/**
 * All schemas of a document, with the names, titles and descriptions in one text. A search in that text is many times
 * faster than a walk through the schemas. The first search creates the index.
 */
export class SchemaIndex {
  readonly #schemas: JsonObject[] = [];
  /** For each schema, a part of the same document; only until the index is complete. */
  readonly #bases: SchemaPart[] = [];
  readonly #numbers = new Map<JsonObject, number>();
  /** Numbers of the schemas that contain a schema or refer to it. */
  readonly #parents: number[][] = [];
  /** For each schema, where the names of its properties start, and where its title and description. */
  readonly #starts: number[] = [];
  readonly #text: string;

  constructor(document: IndexedDocument) {
    const { root } = document;
    if (isJsonObject(root))
      this.#enter(root, { schema: root, pointer: '', resource: root, resourcePointer: '' });
    // The list grows while it is read.
    for (let number = 0; number < this.#schemas.length; number += 1) this.#visit(document, number);
    this.#bases.length = 0;
    this.#text = this.#join();
  }

  /** Numbers a schema, and notes its parent. `base` is a part of the same document, to resolve references. */
  #enter(schema: JsonObject, base: SchemaPart, parent?: number): void {
    let number = this.#numbers.get(schema);
    if (number === undefined) {
      number = this.#schemas.push(schema) - 1;
      this.#numbers.set(schema, number);
      this.#bases.push(base);
      this.#parents.push([]);
    }
    if (parent !== undefined) this.#parents[number]?.push(parent);
  }

  /** Enters the schemas directly inside a schema, and those that it refers to. */
  #visit(document: IndexedDocument, number: number): void {
    const [schema, base] = [this.#schemas[number], this.#bases[number]];
    if (!schema || !base) return;
    const enter = (inner: unknown) => {
      if (isJsonObject(inner)) this.#enter(inner, base, number);
    };
    // Most keywords of most schemas are no schemas.
    for (const keyword in schema) {
      const value = schema[keyword];
      if (typeof value !== 'object' || value === null) continue;
      if (MAP_KEYWORDS.has(keyword)) for (const name in value) enter((value as JsonObject)[name]);
      else if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) value.forEach(enter);
      else if (SCHEMA_KEYWORDS.has(keyword)) enter(value);
    }
    for (const target of document.targetsOf({ ...base, schema })) this.#enter(target.schema, target, number);
  }

  /** Returns the schemas inside of which something matches: a name, title or description, or a whole schema. */
  inside({ text, schema }: SchemaTest): ReadonlySet<JsonObject> {
    const found = new Matches(this.#parents);
    if (text) this.#addTexts(text, found);
    if (schema)
      this.#schemas.forEach((each, number) => {
        if (schema(each)) found.addParents(number);
      });
    return new Set(
      found.all().flatMap((number): readonly JsonObject[] => {
        const schema = this.#schemas[number];
        return schema ? [schema] : [];
      }),
    );
  }

  #addTexts({ source, flags }: RegExp, found: Matches): void {
    const pattern = new RegExp(source, `${flags}g`);
    let chunk = 0;
    while (chunk < this.#starts.length) {
      const match = pattern.exec(this.#text);
      if (!match) return;
      chunk = this.#chunkAt(match.index, chunk);
      // The names of the properties are inside of a schema; its title and description are inside of its parents.
      if (chunk % 2 === 0) found.add(chunk / 2);
      else found.addParents((chunk - 1) / 2);
      // One match in a chunk is enough.
      chunk += 1;
      pattern.lastIndex = this.#starts[chunk] ?? this.#text.length;
    }
  }

  /** Writes the texts of all schemas one after the other, and notes where each begins. */
  #join(): string {
    const texts: string[] = [];
    let length = 0;
    const write = (text: string) => {
      this.#starts.push(length);
      texts.push(text);
      length += text.length + SEPARATOR.length;
    };
    for (const { properties, title, description } of this.#schemas) {
      write(isJsonObject(properties) ? Object.keys(properties).join(SEPARATOR) : '');
      write([title, description].filter((text) => typeof text === 'string').join(SEPARATOR));
    }
    return texts.join(SEPARATOR);
  }

  /** Returns the number of the chunk of text that contains an offset, not before a chunk. */
  #chunkAt(offset: number, from: number): number {
    let [low, high] = [from, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** A set of schemas by number, closed over the schemas that contain them. */
class Matches {
  readonly #parents: readonly (readonly number[] | undefined)[];
  readonly #found = new Set<number>();

  constructor(parents: readonly (readonly number[] | undefined)[]) {
    this.#parents = parents;
  }

  add(number: number): void {
    const pending = [number];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.#found.has(next)) continue;
      this.#found.add(next);
      // A schema may have more parents than a call may have arguments.
      for (const parent of this.#parents[next] ?? []) pending.push(parent);
    }
  }

  addParents(number: number): void {
    for (const parent of this.#parents[number] ?? []) this.add(parent);
  }

  all(): readonly number[] {
    return [...this.#found];
  }
}
