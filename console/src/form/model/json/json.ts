import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';

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

export function isMembers(value: unknown): value is JsonMembers {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
  );
}

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

/** Returns the value at a pointer; undefined if there is no value. */
export function jsonAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document;
  for (const token of pointerTokens(pointer)) value = childOf(value, token);
  return value;
}

/** Returns a member or an item of a value. */
export function childOf(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isMembers(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** Returns the pointer of the parent; `''` for the root. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
}

/** Returns the last token of a pointer; `''` for the root. */
export function lastToken(pointer: string): string {
  return pointerTokens(pointer).at(-1) ?? '';
}

/** Returns true if a pointer is the ancestor or a location below the ancestor. */
export function isWithin(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

/** Returns the pointers of all ancestors of a location, the root first, and of the location itself. */
export function pointersTo(pointer: string): readonly string[] {
  let current = '';
  return ['', ...pointerTokens(pointer).map((token) => (current = pointerTo(current, token)))];
}

/** Returns an object with a member set, at its position or at the end; `undefined` removes the member. */
export function withMember(members: JsonMembers, name: string, value: Json | undefined): JsonMembers {
  if (value !== undefined) return { ...members, [name]: value };
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
}

/** Returns a list with an item set, or appended; `undefined` removes the item. */
export function withItem(list: JsonList, index: number, value: Json | undefined): JsonList {
  return value === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, value);
}

/** Returns the pointers of a field, one for each entry of the lists on the way, if all containers exist. */
export function pointersOf(
  container: Json | undefined,
  [name = '', ...rest]: readonly string[],
): readonly string[] {
  const exists = name === '*' || isList(container) ? isList(container) : isMembers(container);
  if (!exists) return [];
  const names = name === '*' && isList(container) ? [...container.keys()].map(String) : [name];
  if (rest.length === 0) return names.map((name) => pointerTo('', name));
  return names.flatMap((name) =>
    pointersOf(childOf(container, name), rest).map((inner) => pointerTo('', name) + inner),
  );
}
