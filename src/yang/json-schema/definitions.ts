import type { Schema } from './schema-types.js';

/** A part is worth a definition of its own when it is at least this long. */
const WORTH_SHARING = 100;

interface SharedDefinition {
  readonly id: number;
  readonly name: string;
  readonly schema: Schema;
  /** Characters of the part when everything in it is written out. */
  readonly length: number;
}

/**
 * Keeps every part of a schema once: parts that are equal become the same object. What is used more than once is then
 * written as one definition with references to it, so that output grows with the model and not with its expansion.
 */
export class Definitions {
  readonly #byKey = new Map<string, SharedDefinition>();
  readonly #bySchema = new Map<Schema, SharedDefinition>();

  /** The part that is kept for an equal one; `name` is what its definition would be called. */
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

  /** Writes a root schema out, with its definitions under `$defs` or `definitions`. */
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
    // Of every node of a model: without lists in between.
    for (const name in value) {
      measured.length += name.length + 4;
      members += `${JSON.stringify(name)}:${this.#keyOf((value as Schema)[name], measured)},`;
    }
    return `{${members}}`;
  }

  /** How often each part stands in the document; what is inside a part that stands in several places counts once. */
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
      // A name of YANG has no colon, so that a numbered name is never one of them.
      names.set(schema, number === 1 ? kept.name : `${kept.name}:${number}`);
    }
    return names;
  }
}

/** Writes parts out, with references in place of those that are shared. */
class Writer {
  readonly #names: ReadonlyMap<Schema, string>;
  readonly #keyword: '$defs' | 'definitions';

  constructor(names: ReadonlyMap<Schema, string>, keyword: '$defs' | 'definitions') {
    this.#names = names;
    this.#keyword = keyword;
  }

  /** A part itself, even when it is shared. */
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

  /** The type of a leaf stands beside its annotations; draft-07 ignores what stands beside a reference. */
  #type(schema: Schema): Schema {
    const name = this.#names.get(schema);
    if (name === undefined) return this.schema(schema);
    const $ref = `#/${this.#keyword}/${name}`;
    return this.#keyword === '$defs' ? { $ref } : { allOf: [{ $ref }] };
  }
}

/** True when there is nothing inside that could be shared. */
function isFlat(schema: Schema): boolean {
  for (const name in schema) if (typeof schema[name] === 'object') return false;
  return true;
}

/** Member of a part that holds the schema of a leaf's type, which is written beside the part's other members. */
export const TYPE = '$type';
