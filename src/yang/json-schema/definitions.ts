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

interface SharedDefinition {
  readonly id: number;
  readonly name: string;
  readonly schema: Schema;
  /** Length of the subschema with all its parts expanded, in characters. */
  readonly length: number;
}

/**
 * Deduplicates subschemas: equal subschemas become the same object. A subschema that is used more than once
 * is written as a definition with references. The output therefore grows with the module, and not with the
 * expansion of its groupings.
 */
export class Definitions {
  readonly #byKey = new Map<string, SharedDefinition>();
  readonly #bySchema = new Map<Schema, SharedDefinition>();

  /**
   * Returns the stored subschema that equals the given one, or stores it. `name` is the name of its
   * definition.
   */
  keep(schema: Schema, name: string): Schema {
    if (this.#bySchema.has(schema)) return schema;
    const measurement = { length: 0 };
    const key = this.#keyOf(schema, measurement);
    const known = this.#byKey.get(key);
    if (known) return known.schema;
    const definition = { id: this.#byKey.size, name, schema, length: measurement.length };
    this.#byKey.set(key, definition);
    this.#bySchema.set(schema, definition);
    return schema;
  }

  /** Writes a root schema with its definitions under `$defs` or `definitions`. */
  write(root: Schema, keyword: '$defs' | 'definitions'): Schema {
    const names = this.#nameShared(this.#count(root));
    const writer = new SchemaWriter(names, keyword);
    const document = writer.schema(root);
    if (names.size === 0) return document;
    const shared = [...names].map(([schema, name]) => [name, writer.schema(schema)] as const);
    return { ...document, [keyword]: Object.fromEntries(shared) };
  }

  #keyOf(value: unknown, measurement: { length: number }): string {
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value);
      measurement.length += text.length;
      return text;
    }
    const definition = this.#bySchema.get(value as Schema);
    if (definition) {
      measurement.length += definition.length;
      return `#${definition.id}`;
    }
    if (Array.isArray(value)) return `[${value.map((item) => this.#keyOf(item, measurement)).join(',')}]`;
    let members = '';
    // This loop runs for every node of a module, so it avoids intermediate arrays.
    for (const name in value) {
      measurement.length += name.length + 4;
      members += `${JSON.stringify(name)}:${this.#keyOf((value as Schema)[name], measurement)},`;
    }
    return `{${members}}`;
  }

  /**
   * Counts the uses of each stored subschema in the document. The content of a subschema with several uses is
   * counted once.
   */
  #count(root: Schema): ReadonlyMap<Schema, number> {
    const uses = new Map<Schema, number>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const definition = this.#bySchema.has(value as Schema);
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

  #nameShared(uses: ReadonlyMap<Schema, number>): ReadonlyMap<Schema, string> {
    const names = new Map<Schema, string>();
    const nameCounts = new Map<string, number>();
    for (const [schema, count] of uses) {
      const definition = this.#bySchema.get(schema);
      if (!definition || count < 2 || definition.length < MIN_SHARED_LENGTH) continue;
      const number = (nameCounts.get(definition.name) ?? 0) + 1;
      nameCounts.set(definition.name, number);
      // An identifier of YANG has no colon, so a numbered name never equals one.
      names.set(schema, number === 1 ? definition.name : `${definition.name}:${number}`);
    }
    return names;
  }
}

/** Writes schemas with references in place of shared subschemas. */
class SchemaWriter {
  readonly #names: ReadonlyMap<Schema, string>;
  readonly #keyword: '$defs' | 'definitions';

  constructor(names: ReadonlyMap<Schema, string>, keyword: '$defs' | 'definitions') {
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
    return this.#keyword === '$defs' ? { $ref } : { allOf: [{ $ref }] };
  }
}

/** Returns true if a schema contains no object or array, so that it contains no shared subschema. */
function hasNoNestedValues(schema: Schema): boolean {
  for (const name in schema) if (typeof schema[name] === 'object') return false;
  return true;
}
