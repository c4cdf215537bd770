import { createHash } from 'node:crypto';
import type { Names } from '../modules/yang-module.js';
import type { NodeDefinition } from '../tree/node-definition.js';
import { definitionName } from './definition-name.js';
import { EqualSchemas } from './equal-schemas.js';

/** JSON Schema or subschema in the output of the compiler. */
export type Schema = Readonly<Record<string, unknown>>;

export type Draft = '2020-12' | '07';

/**
 * Internal member with the schema of a leaf's type. The writer replaces the member by the keywords of that
 * schema.
 */
export const TYPE = '$type';

/** Minimum expanded length of a subschema that becomes a definition, in characters. */
const MIN_SHARED_LENGTH = 100;

/** Path of the shared schemas of a document. */
export type DefinitionsKeyword = '$defs' | 'definitions' | typeof COMPONENTS;

const COMPONENTS = 'components/schemas';

/** Length of the digest in the name of a definition, in hexadecimal digits. */
const DIGEST_LENGTH = 8;

/**
 * Deduplicates subschemas: equal subschemas become the same object. A subschema that is used more than once
 * is written as a definition with references. The output therefore grows with the module, and not with the
 * expansion of its groupings.
 */
export class Definitions {
  readonly #schemas = new EqualSchemas();
  readonly #names: Names;
  readonly #digests = new Map<Schema, string>();
  #references: ReadonlyMap<Schema, string> = new Map();

  constructor(names: Names) {
    this.#names = names;
  }

  /**
   * Returns the stored subschema that equals the given one, or stores it. `name` is the name of its
   * definition, or the node that has the name.
   */
  keep(schema: Schema, name: string | NodeDefinition): Schema {
    return this.#schemas.keep(schema, name);
  }

  /** Writes a root schema with its definitions under the keyword. No schema is stored afterwards. */
  write(root: Schema, keyword: DefinitionsKeyword): Schema {
    this.#schemas.complete();
    const names = this.#nameShared(this.#count(root));
    this.#references = new Map([...names].map(([schema, name]) => [schema, `#/${keyword}/${name}`]));
    const writer = new SchemaWriter(names, keyword);
    const document = writer.schema(root);
    if (names.size === 0) return document;
    const shared = [...names].map(([schema, name]) => [name, writer.schema(schema)] as const);
    return { ...document, [keyword]: Object.fromEntries(shared) };
  }

  /** Writes an OpenAPI document, with its shared schemas and the given ones as components. */
  writeComponents(document: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
    const { [COMPONENTS]: shared, ...written } = this.write(document, COMPONENTS);
    return { ...written, components: { schemas: { ...schemas, ...(shared as Schema | undefined) } } };
  }

  /** Returns a digest of a subschema with all its parts; the same for equal subschemas of other modules. */
  #digestOf(schema: Schema): string {
    const known = this.#digests.get(schema);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) hash.update(JSON.stringify(value));
      else if (value !== schema && this.#schemas.has(value as Schema))
        hash.update(`#${this.#digestOf(value as Schema)}`);
      else
        for (const name in value) {
          hash.update(`${name}:`);
          visit((value as Schema)[name]);
        }
    };
    visit(schema);
    const digest = hash.digest('hex').slice(0, DIGEST_LENGTH);
    this.#digests.set(schema, digest);
    return digest;
  }

  /** Returns the `$ref` of a subschema that {@link write} wrote as a definition; undefined for any other. */
  referenceTo(schema: Schema): string | undefined {
    return this.#references.get(schema);
  }

  /**
   * Counts the uses of each stored subschema in the document. The content of a subschema with several uses is
   * counted once.
   */
  #count(root: Schema): ReadonlyMap<Schema, number> {
    const uses = new Map<Schema, number>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const definition = this.#schemas.has(value as Schema);
      if (definition) {
        const count = (uses.get(value as Schema) ?? 0) + 1;
        uses.set(value as Schema, count);
        if (count > 1) return;
      }
      for (const name in value) visit((value as Schema)[name]);
    };
    visit(root);
    return uses;
  }

  #nameOf(schema: Schema): string {
    const name = this.#schemas.nameOf(schema) ?? '';
    return typeof name === 'string' ? name : definitionName(name, this.#names);
  }

  #nameShared(uses: ReadonlyMap<Schema, number>): ReadonlyMap<Schema, string> {
    const shared: (readonly [schema: Schema, name: string])[] = [];
    const nameCounts = new Map<string, number>();
    for (const [schema, count] of uses) {
      if (count < 2 || this.#schemas.lengthOf(schema) < MIN_SHARED_LENGTH) continue;
      const name = this.#nameOf(schema);
      shared.push([schema, name]);
      nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
    }
    const names = new Map<Schema, string>();
    const taken = new Set<string>();
    for (const [schema, name] of shared) {
      // A digest of the content distinguishes equal names, so that a name does not depend on the order of the model.
      const isUnique = nameCounts.get(name) === 1;
      const unique = isUnique ? name : `${name}-${this.#digestOf(schema)}`;
      const free = taken.has(unique) ? `${unique}-${names.size}` : unique;
      taken.add(free);
      names.set(schema, free);
    }
    return names;
  }
}

/** Writes schemas with references in place of shared subschemas. */
class SchemaWriter {
  readonly #names: ReadonlyMap<Schema, string>;
  readonly #keyword: DefinitionsKeyword;

  constructor(names: ReadonlyMap<Schema, string>, keyword: DefinitionsKeyword) {
    this.#names = names;
    this.#keyword = keyword;
  }

  /** Writes the given schema itself, even if the schema is shared. */
  schema(schema: Schema): Schema {
    if (hasNoNestedValues(schema)) return schema;
    const written: Record<string, unknown> = {};
    for (const name of Object.keys(schema)) {
      const inner = schema[name];
      if (name === TYPE) Object.assign(written, this.#type(inner as Schema));
      // A plain assignment would set the prototype of the object.
      else if (name === '__proto__')
        Object.defineProperty(written, name, { value: this.#value(inner), enumerable: true });
      else written[name] = this.#value(inner);
    }
    return written;
  }

  #value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    const name = this.#names.get(value as Schema);
    return name === undefined ? this.schema(value as Schema) : { $ref: `#/${this.#keyword}/${name}` };
  }

  /**
   * Writes the type of a leaf next to its annotations. In draft-07, `$ref` needs `allOf` to allow siblings.
   */
  #type(schema: Schema): Schema {
    const name = this.#names.get(schema);
    if (name === undefined) return this.schema(schema);
    const $ref = `#/${this.#keyword}/${name}`;
    return this.#keyword === 'definitions' ? { allOf: [{ $ref }] } : { $ref };
  }
}

/** Returns true if a schema contains no object or array, so that it contains no shared subschema. */
function hasNoNestedValues(schema: Schema): boolean {
  for (const name in schema) if (typeof schema[name] === 'object') return false;
  return true;
}
