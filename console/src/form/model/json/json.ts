/** A number whose text a double would not preserve: too many digits, `1.0`, `1e3`. */
export class WrittenNumber {
  /** The number's text in the document. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a JSON document. Immutable. */
export type Json = null | boolean | number | string | WrittenNumber | JsonList | JsonMembers;

export type JsonList = readonly Json[];

export interface JsonMembers {
  readonly [name: string]: Json;
}

/** Returns true for an object of a document. */
export function isMembers(value: unknown): value is JsonMembers {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
  );
}

/** Returns true for an array of a document. */
export function isList(value: unknown): value is JsonList {
  return Array.isArray(value);
}

/** Returns true for an object or an array. */
export function isStructure(value: unknown): value is JsonList | JsonMembers {
  return isList(value) || isMembers(value);
}

/** Parses a number; keeps its text if a double would not preserve it. */
export function numberFrom(text: string): number | WrittenNumber {
  const value = Number(text);
  return String(value) === text ? value : new WrittenNumber(text);
}

/** Returns true for equal values, regardless of whitespace and the order of members. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a instanceof WrittenNumber) return b instanceof WrittenNumber && a.text === b.text;
  if (!isStructure(a) || !isStructure(b)) return false;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  if (!isMembers(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

const PLAIN_VALUES = new WeakMap<object, unknown>();

/**
 * Returns the value as `JSON.parse` would return it, for the schema engine; a whole number that a double does not keep is a
 * `bigint`. Parts without a `WrittenNumber` stay the same objects.
 */
export function plainValue(value: Json): unknown {
  if (value instanceof WrittenNumber) return plainNumber(value.text);
  if (!isStructure(value)) return value;
  const known = PLAIN_VALUES.get(value);
  if (known !== undefined) return known;
  const plain = isList(value) ? listOrPlain(value, value.map(plainValue)) : plainMembers(value);
  PLAIN_VALUES.set(value, plain);
  return plain;
}

function plainNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) && BigInt(value) !== BigInt(text)
    ? BigInt(text)
    : value;
}

function plainMembers(value: Readonly<Record<string, Json>>): unknown {
  const entries = Object.entries(value).map(([name, member]) => [name, plainValue(member)] as const);
  const same = entries.every(([name, plain]) => plain === value[name]);
  return same ? value : Object.fromEntries(entries);
}

function listOrPlain(list: readonly Json[], plain: readonly unknown[]): unknown {
  return plain.every((item, at) => item === list[at]) ? list : plain;
}

/** Returns a value of `JSON.parse` as a document value. Only the type changes. */
export function jsonFrom(value: unknown): Json {
  return value as Json;
}

/** Counts the leaves that have a value: `{}` and `[]` count 0, `[null]` (YANG `empty`) counts 1. */
export function filledLeaves(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (!isStructure(value)) return 1;
  const known = LEAF_COUNTS.get(value);
  if (known !== undefined) return known;
  let count = 0;
  if (isMembers(value)) for (const name of Object.keys(value)) count += filledLeaves(value[name]);
  else for (const item of value) count += filledLeaves(item);
  LEAF_COUNTS.set(value, count);
  return count;
}

const LEAF_COUNTS = new WeakMap<object, number>();
