/** Minimum length of a part that becomes a separate definition. */
const WORTH_SHARING = 100;

interface SharedDefinition {
  readonly id: number;
  readonly name: string;
  readonly schema: Schema;
  /** Length of the part in characters when everything in it is expanded. */
  readonly length: number;
}

/**
 * Keeps every part of a schema once: equal parts become the same object. A part that is used more than once
 * is written as a definition with references to it. The output therefore grows with the model and not with
 * its expansion.
 */
export class Definitions {
  readonly #byKey = new Map<string, SharedDefinition>();
  readonly #bySchema = new Map<Schema, SharedDefinition>();

  /** Returns the stored part that is equal to the given part; `name` is the name of its definition. */
  keep(schema: Schema, name: string): Schema {
    if (this.#bySchema.has(schema)) return schema;
    const measured = { length: 0 };
    const key = this.#keyOf(schema, measured);
    const known = this.#byKey.get(key);
    if (known) return known.schema;
    const kept = { id: this.#byKey.size, name, schema, length: measured.length };
    this.#byKey.set(key, kept);
    this.#bySchema.set(schema, kept);
    return schema;
  }

  /** Writes a root schema with its definitions under `$defs` or `definitions`. */
  write(root: Schema, keyword: '$defs' | 'definitions'): Schema {
    const names = this.#nameShared(this.#count(root));
    const writer = new Writer(names, keyword);
    const document = writer.schema(root);
    if (names.size === 0) return document;
    const shared = [...names].map(([schema, name]) => [name, writer.schema(schema)] as const);
    return { ...document, [keyword]: Object.fromEntries(shared) };
  }

  #keyOf(value: unknown, measured: { length: number }): string {
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value);
      measured.length += text.length;
      return text;
    }
    const kept = this.#bySchema.get(value as Schema);
    if (kept) {
      measured.length += kept.length;
      return `#${kept.id}`;
    }
    if (Array.isArray(value)) return `[${value.map((one) => this.#keyOf(one, measured)).join(',')}]`;
    let members = '';
    // This loop runs for every node of a model, so it avoids intermediate lists.
    for (const name in value) {
      measured.length += name.length + 4;
      members += `${JSON.stringify(name)}:${this.#keyOf((value as Schema)[name], measured)},`;
    }
    return `{${members}}`;
  }

  /**
   * Counts how often each part occurs in the document. The content of a part that occurs several times counts
   * once.
   */
  #count(root: Schema): ReadonlyMap<Schema, number> {
    const uses = new Map<Schema, number>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const kept = this.#bySchema.has(value as Schema);
      if (kept) {
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
    const taken = new Map<string, number>();
    for (const [schema, count] of uses) {
      const kept = this.#bySchema.get(schema);
      if (!kept || count < 2 || kept.length < WORTH_SHARING) continue;
      const number = (taken.get(kept.name) ?? 0) + 1;
      taken.set(kept.name, number);
      // A YANG name has no colon, so a numbered name is never a YANG name.
      names.set(schema, number === 1 ? kept.name : `${kept.name}:${number}`);
    }
    return names;
  }
}

/** Writes parts, with references in place of shared parts. */
class Writer {
  readonly #names: ReadonlyMap<Schema, string>;
  readonly #keyword: '$defs' | 'definitions';

  constructor(names: ReadonlyMap<Schema, string>, keyword: '$defs' | 'definitions') {
    this.#names = names;
    this.#keyword = keyword;
  }

  /** Returns the part itself, even if it is shared. */
  schema(schema: Schema): Schema {
    if (isFlat(schema)) return schema;
    const written: Record<string, unknown> = {};
    for (const name of Object.keys(schema)) {
      const inner = schema[name];
      if (name === TYPE) Object.assign(written, this.#type(inner as Schema));
      // A plain assignment would set the prototype.
      else if (name === '__proto__')
        Object.defineProperty(written, name, { value: this.#value(inner), enumerable: true });
      else written[name] = this.#value(inner);
    }
    return written;
  }

  #value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.#value(one));
    const name = this.#names.get(value as Schema);
    return name === undefined ? this.schema(value as Schema) : { $ref: `#/${this.#keyword}/${name}` };
  }

  /** Writes the type of a leaf next to its annotations. Draft-07 ignores keywords next to a reference. */
  #type(schema: Schema): Schema {
    const name = this.#names.get(schema);
    if (name === undefined) return this.schema(schema);
    const $ref = `#/${this.#keyword}/${name}`;
    return this.#keyword === '$defs' ? { $ref } : { allOf: [{ $ref }] };
  }
}

/** Returns true if nothing inside the part could be shared. */
function isFlat(schema: Schema): boolean {
  for (const name in schema) if (typeof schema[name] === 'object') return false;
  return true;
}

/**
 * Member of a part that contains the schema of a leaf's type. It is written next to the part's other members.
 */
export const TYPE = '$type';

/** JSON Schema, or a part of it, while it is being written. */
export type Schema = Readonly<Record<string, unknown>>;

export type Draft = '2020-12' | '07';
