import type { NodeDefinition } from '../tree/node-definition.js';
import { combine } from './hash.js';

/** JSON Schema or subschema. */
type Schema = Readonly<Record<string, unknown>>;

/** Stored schema. */
interface Entry {
  readonly schema: Schema;
  /** Number of the schema in the order in which the schemas were stored. */
  readonly number: number;
  /** Name of the schema, or what it is made from. */
  readonly name: string | NodeDefinition;
  /** Next schema with the same hash. */
  readonly next: Entry | undefined;
}

/**
 * Stores schemas, each once: equal schemas become the same object. A stored schema inside another schema is compared by
 * identity, so that the cost of a comparison does not grow with the depth of the schema.
 */
export class EqualSchemas {
  readonly #entries = new Map<Schema, Entry>();
  readonly #byHash = new Map<number, Entry>();
  /** Numbers of the texts in the stored schemas, which take part in the hashes. */
  readonly #texts = new Map<unknown, number>();
  readonly #lengths = new Map<Schema, number>();

  /** Returns the name of a stored schema; undefined for any other. */
  nameOf(schema: Schema): string | NodeDefinition | undefined {
    return this.#entries.get(schema)?.name;
  }

  has(schema: Schema): boolean {
    return this.#entries.has(schema);
  }

  /** Returns the stored schema that equals the given one, with members in the same order; otherwise stores it with the name. */
  keep(schema: Schema, name: string | NodeDefinition): Schema {
    if (this.#entries.has(schema)) return schema;
    const hash = this.#hashOfMembers(schema, 0);
    const first = this.#byHash.get(hash);
    for (let entry = first; entry; entry = entry.next)
      if (this.#haveEqualMembers(entry.schema, schema)) return entry.schema;
    const entry = { schema, number: this.#entries.size, name, next: first };
    this.#entries.set(schema, entry);
    this.#byHash.set(hash, entry);
    return schema;
  }

  /** Forgets how equal schemas are found, when all are stored. */
  complete(): void {
    this.#byHash.clear();
    this.#texts.clear();
  }

  /** Returns the length of the JSON text of a schema with all its parts expanded, without brackets, in characters. */
  lengthOf(schema: Schema): number {
    let length = this.#lengths.get(schema);
    if (length === undefined) this.#lengths.set(schema, (length = this.#lengthOfMembers(schema)));
    return length;
  }

  #lengthOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
    return this.#entries.has(value as Schema) ? this.lengthOf(value as Schema) : this.#lengthOfMembers(value);
  }

  #lengthOfMembers(value: object): number {
    let length = 0;
    if (Array.isArray(value)) for (const item of value) length += this.#lengthOf(item);
    else for (const name in value) length += name.length + 4 + this.#lengthOf((value as Schema)[name]);
    return length;
  }

  #hashOf(value: unknown, before: number): number {
    if (typeof value !== 'object' || value === null) return combine(before, this.#numberOf(value));
    const entry = this.#entries.get(value as Schema);
    return entry ? combine(before, entry.number) : this.#hashOfMembers(value, before);
  }

  #hashOfMembers(value: object, before: number): number {
    let hash = before;
    if (Array.isArray(value)) for (const item of value) hash = this.#hashOf(item, hash);
    // Only the length of the name counts: schemas with other names nearly always have other values as well.
    else for (const name in value) hash = this.#hashOf((value as Schema)[name], combine(hash, name.length));
    return hash;
  }

  #numberOf(text: unknown): number {
    let number = this.#texts.get(text);
    if (number === undefined) this.#texts.set(text, (number = this.#texts.size));
    return number;
  }

  #haveEqualMembers(one: object, other: object): boolean {
    if (Array.isArray(one) || Array.isArray(other))
      return (
        Array.isArray(one) &&
        Array.isArray(other) &&
        one.length === other.length &&
        one.every((item, at) => this.#isEqual(item, other[at]))
      );
    const names = Object.keys(other);
    let at = 0;
    for (const name in one) {
      if (names[at] !== name || !this.#isEqual((one as Schema)[name], (other as Schema)[name])) return false;
      at += 1;
    }
    return at === names.length;
  }

  #isEqual(one: unknown, other: unknown): boolean {
    if (one === other) return true;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    // Two stored schemas that are not the same object are not equal.
    if (this.#entries.has(one as Schema) || this.#entries.has(other as Schema)) return false;
    return this.#haveEqualMembers(one, other);
  }
}
