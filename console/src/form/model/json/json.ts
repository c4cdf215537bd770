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

/** True for an object of a document. */
export function isMembers(value: unknown): value is JsonMembers {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
  );
}

/** True for an array of a document. */
export function isList(value: unknown): value is JsonList {
  return Array.isArray(value);
}

/** True for an object or an array. */
export function isStructure(value: unknown): value is JsonList | JsonMembers {
  return isList(value) || isMembers(value);
}

/** Parses a number; keeps its text if a double would not preserve it. */
export function numberFrom(text: string): number | WrittenNumber {
  const value = Number(text);
  return String(value) === text ? value : new WrittenNumber(text);
}

/** True for equal values, regardless of whitespace and the order of members. */
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

const PLAIN = new WeakMap<object, unknown>();

/**
 * Returns the value as `JSON.parse` would, for the engine; parts without written numbers are the same
 * objects.
 */
export function plainValue(value: Json): unknown {
  if (value instanceof WrittenNumber) return Number(value.text);
  if (!isStructure(value)) return value;
  const known = PLAIN.get(value);
  if (known !== undefined) return known;
  const plain = isList(value) ? sameOr(value, value.map(plainValue)) : plainMembers(value);
  PLAIN.set(value, plain);
  return plain;
}

function plainMembers(value: Readonly<Record<string, Json>>): unknown {
  const entries = Object.entries(value).map(([name, member]) => [name, plainValue(member)] as const);
  const same = entries.every(([name, plain]) => plain === value[name]);
  return same ? value : Object.fromEntries(entries);
}

function sameOr(list: readonly Json[], plain: readonly unknown[]): unknown {
  return plain.every((item, at) => item === list[at]) ? list : plain;
}

/** Returns a value of `JSON.parse` as a document value; such values need no conversion. */
export function jsonFrom(value: unknown): Json {
  return value as Json;
}

/** Counts leaves that have a value: `{}` and `[]` have none, `[null]` is one (YANG `empty`). */
export function filledLeaves(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (!isStructure(value)) return 1;
  const known = FILLED.get(value);
  if (known !== undefined) return known;
  let count = 0;
  if (isMembers(value)) for (const name of Object.keys(value)) count += filledLeaves(value[name]);
  else for (const item of value) count += filledLeaves(item);
  FILLED.set(value, count);
  return count;
}

const FILLED = new WeakMap<object, number>();
