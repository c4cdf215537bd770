import { isJsonObject, type JsonObject } from '../../../../../src/json/json-object.js';
import { finish, type Work } from '../slices.js';

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
interface IndexedDocument {
  readonly root: unknown;
  readonly targetsOf: (part: SchemaPart) => readonly SchemaPart[];
}

/** Number of schemas in a step of the work, which takes less than a millisecond. */
const STEP_SCHEMAS = 200;

/** Number of texts whose results are remembered. */
const MAX_KNOWN_TEXTS = 4;

/** Separates the texts of two schemas. No word of a search contains it. */
const SEPARATOR = '\u0000';

/**
 * All schemas of a document, with the names, titles and descriptions in one text. A search in that text is many times
 * faster than a walk through the schemas. The first search completes the index.
 */
export class SearchIndex {
  readonly #schemas: JsonObject[] = [];
  /** For each schema, a part of the same document; only until the index is complete. */
  readonly #bases: SchemaPart[] = [];
  readonly #numbers = new Map<JsonObject, number>();
  /** Numbers of the schemas that contain a schema or refer to it. */
  readonly #parents: number[][] = [];
  /** For each schema, where the names of its properties start, and where its title and description. */
  #starts: readonly number[] = [];
  readonly #document: IndexedDocument;
  /** Results of the last searches by the pattern of the text. */
  readonly #known = new Map<string, ReadonlySet<JsonObject>>();
  /** Number of the schemas that were visited. */
  #visited = 0;
  /** The texts of all schemas; undefined until the index is complete. */
  #text: string | undefined;

  constructor(document: IndexedDocument) {
    this.#document = document;
    const { root } = document;
    if (isJsonObject(root))
      this.#enter(root, { schema: root, pointer: '', resource: root, resourcePointer: '' });
  }

  /** Completes the index in steps, and returns the text. Several callers may take the steps in turn. */
  *#completed(): Work<string> {
    // The list grows while it is read.
    while (this.#visited < this.#schemas.length) {
      this.#visited += 1;
      this.#visit(this.#document, this.#visited - 1);
      if (this.#visited % STEP_SCHEMAS === 0) yield;
    }
    this.#bases.length = 0;
    return (this.#text ??= yield* this.#join());
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
  inside(test: SchemaTest): ReadonlySet<JsonObject> {
    return finish(this.search(test));
  }

  /** Finds in steps what {@link inside} returns. Remembers the last texts, because every edit of a form searches again. */
  *search(test: SchemaTest): Work<ReadonlySet<JsonObject>> {
    const { text, schema } = test;
    const key = text && !schema ? String(text) : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known) return known;
    const found = yield* this.#search(test);
    if (key === undefined) return found;
    this.#known.set(key, found);
    const [oldest = key] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN_TEXTS) this.#known.delete(oldest);
    return found;
  }

  *#search({ text, schema }: SchemaTest): Work<ReadonlySet<JsonObject>> {
    const texts = yield* this.#completed();
    const found = new Matches(this.#parents);
    if (text) yield* this.#addTexts(texts, text, found);
    if (schema)
      for (const [number, each] of this.#schemas.entries()) {
        if (schema(each)) found.addParents(number);
        if (number % STEP_SCHEMAS === 0) yield;
      }
    const schemas = new Set<JsonObject>();
    for (const number of found.all()) {
      const schemaFound = this.#schemas[number];
      if (schemaFound) schemas.add(schemaFound);
    }
    return schemas;
  }

  *#addTexts(texts: string, { source, flags }: RegExp, found: Matches): Work<void> {
    const pattern = new RegExp(source, `${flags}g`);
    let chunk = 0;
    while (chunk < this.#starts.length) {
      const match = pattern.exec(texts);
      if (!match) return;
      chunk = this.#chunkAt(match.index, chunk);
      // The names of the properties are inside of a schema; its title and description are inside of its parents.
      if (chunk % 2 === 0) found.add(chunk / 2);
      else found.addParents((chunk - 1) / 2);
      // One match in a chunk is enough.
      chunk += 1;
      pattern.lastIndex = this.#starts[chunk] ?? texts.length;
      if (chunk % STEP_SCHEMAS < 2) yield;
    }
  }

  /** Returns the texts of all schemas one after the other, and notes where each begins. */
  *#join(): Work<string> {
    const starts: number[] = [];
    const texts: string[] = [];
    let length = 0;
    const write = (text: string) => {
      starts.push(length);
      texts.push(text);
      length += text.length + SEPARATOR.length;
    };
    for (const [number, { properties, title, description }] of this.#schemas.entries()) {
      if (number % STEP_SCHEMAS === 0) yield;
      write(isJsonObject(properties) ? Object.keys(properties).join(SEPARATOR) : '');
      write([title, description].filter((text) => typeof text === 'string').join(SEPARATOR));
    }
    // Two searches may have taken these steps in turn.
    this.#starts = starts;
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

/** A schema with its location. `resource` is the enclosing schema with an `$id`, which `#` refers to. */
export interface SchemaPart {
  readonly schema: JsonObject;
  /** Pointer from the root of the document. */
  readonly pointer: string;
  readonly resource: JsonObject;
  readonly resourcePointer: string;
}
