import { isList, isMembers, isStructure, type Json, WrittenNumber } from './json.js';

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
