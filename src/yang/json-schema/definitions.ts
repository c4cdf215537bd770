import { hash } from 'node:crypto';
import type { Names } from '../modules/yang-module.js';
import { objectOfEntries } from '../object-of-entries.js';
import type { Statement } from '../syntax/statement.js';
import type { NodeDefinition } from '../tree/node-definition.js';
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
type DefinitionsKeyword = '$defs' | 'definitions' | typeof COMPONENTS;

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

  /** Writes a root schema with its definitions under the keyword, and changes the stored schemas. No schema is stored afterwards. */
  write(root: Schema, keyword: DefinitionsKeyword): Schema {
    this.#schemas.complete();
    const names = this.#nameShared(this.#count(root));
    this.#references = new Map([...names].map(([schema, name]) => [schema, `#/${keyword}/${name}`]));
    const writer = new SchemaWriter(names, keyword);
    const document = writer.schema(root);
    if (names.size === 0) return document;
    const shared = [...names].map(([schema, name]) => [name, writer.schema(schema)] as const);
    return { ...document, [keyword]: objectOfEntries(shared) };
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
    let text = '';
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) text += JSON.stringify(value);
      else if (value !== schema && this.#schemas.has(value as Schema))
        text += `#${this.#digestOf(value as Schema)}`;
      else
        for (const name in value) {
          text += `${name}:`;
          visit((value as Schema)[name]);
        }
    };
    visit(schema);
    const digest = hash('sha256', text, 'hex').slice(0, DIGEST_LENGTH);
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
      if (Array.isArray(value)) value.forEach(visit);
      else for (const name in value) visit((value as Schema)[name]);
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

/**
 * Puts references in place of shared subschemas. Changes the schemas themselves: copies of them would take as long and as
 * much memory as the schemas, which nothing else needs once they are complete.
 */
class SchemaWriter {
  readonly #names: ReadonlyMap<Schema, string>;
  readonly #keyword: DefinitionsKeyword;

  constructor(names: ReadonlyMap<Schema, string>, keyword: DefinitionsKeyword) {
    this.#names = names;
    this.#keyword = keyword;
  }

  /** Writes the given schema itself, even if the schema is shared. */
  schema(schema: Schema): Schema {
    for (const name in schema) {
      const inner = schema[name];
      if (typeof inner !== 'object' || inner === null) continue;
      if (name === TYPE) this.#writeType(schema, inner as Schema);
      else {
        const written = this.#value(inner);
        if (written !== inner) replaceMember(schema, name, written);
      }
    }
    return schema;
  }

  #value(value: object): object {
    if (Array.isArray(value)) return this.#list(value);
    const name = this.#names.get(value as Schema);
    return name === undefined ? this.schema(value as Schema) : { $ref: `#/${this.#keyword}/${name}` };
  }

  #list(values: unknown[]): unknown[] {
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at];
      if (typeof value === 'object' && value !== null) values[at] = this.#value(value);
    }
    return values;
  }

  /**
   * Writes the type of a leaf next to its annotations. In draft-07, `$ref` needs `allOf` to allow siblings.
   */
  #writeType(leaf: Record<string, unknown>, type: Schema): void {
    const name = this.#names.get(type);
    const $ref = `#/${this.#keyword}/${name ?? ''}`;
    // The type is the last member, which V8 removes without a cost.
    Reflect.deleteProperty(leaf, TYPE);
    if (name === undefined) Object.assign(leaf, this.schema(type));
    else Object.assign(leaf, this.#keyword === 'definitions' ? { allOf: [{ $ref }] } : { $ref });
  }
}

function replaceMember(schema: Schema, name: string, value: object): void {
  // A plain assignment would set the prototype of the object.
  if (name === '__proto__') Object.defineProperty(schema, name, { value });
  else (schema as Record<string, unknown>)[name] = value;
}

/**
 * Returns the name of a node's definition: the module that contains its statement, the grouping, and the nodes below
 * the grouping, such as `ietf-ip.address-group.address.ip`. The name is a valid name of an OpenAPI component, because
 * identifiers of YANG consist of letters, digits, `_`, `-` and `.`.
 */
function definitionName(node: NodeDefinition, names: Names): string {
  const steps: string[] = [];
  let grouping: string | undefined;
  for (let at: Statement | undefined = node.statement; at.parent && grouping === undefined; at = at.parent) {
    if (at.keyword === 'grouping') grouping = at.argument;
    else if (NODE_KEYWORDS.has(at.keyword)) steps.unshift(at.argument);
  }
  const path = grouping === undefined ? [node.name] : [grouping, ...steps];
  return [names.unitOf(node.statement).module.name, ...path].join('.');
}

/** Keywords of statements that are members of data. */
const NODE_KEYWORDS = new Set(['container', 'list', 'leaf', 'leaf-list', 'anydata', 'anyxml']);
