import { isMembers, isStructure, type Json, type JsonList } from './json.js';
import { sameJson } from './same-json.js';
import { writeJson } from './write-json.js';

/** For each item of `after`, the index of the item of `before` that it was; -1 for a new one. */
export type Alignment = readonly number[];

const KNOWN = new WeakMap<JsonList, { readonly before: JsonList; readonly alignment: Alignment }>();

/**
 * Finds out which items of two states of a list are the same one: by the values of the keys where there are keys, by
 * the value for scalars, else those that are equal at both ends, and then by position.
 */
export function alignLists(before: JsonList, after: JsonList, keys: readonly string[]): Alignment {
  const known = KNOWN.get(after);
  if (known?.before === before) return known.alignment;
  const ids = identitiesOf(before, keys);
  const others = ids && identitiesOf(after, keys);
  const alignment = ids && others ? byIdentity(ids, others) : byPosition(before, after);
  KNOWN.set(after, { before, alignment });
  return alignment;
}

/** What tells items from each other; undefined when something does not. */
function identitiesOf(list: JsonList, keys: readonly string[]): readonly string[] | undefined {
  const ids = list.map((item) => identityOf(item, keys));
  const known = ids.filter((id) => id !== undefined);
  return known.length === list.length && new Set(known).size === known.length ? known : undefined;
}

function identityOf(item: Json, keys: readonly string[]): string | undefined {
  if (!isStructure(item)) return writeJson(item);
  if (!isMembers(item) || keys.length === 0) return undefined;
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  return values.every((value) => value !== undefined)
    ? values.map((value) => writeJson(value)).join(' ')
    : undefined;
}

function byIdentity(before: readonly string[], after: readonly string[]): Alignment {
  const places = new Map(before.map((id, at) => [id, at]));
  const found = after.map((id) => places.get(id) ?? -1);
  // A key that was typed over leaves an item of either list without its other: at one place it is the same entry.
  const used = new Set(found);
  return found.map((from, at) => (from === -1 && at < before.length && !used.has(at) ? at : from));
}

function byPosition(before: JsonList, after: JsonList): Alignment {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && sameJson(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && sameJson(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const paired = shorter - tail;
  return after.map((_, at) => {
    if (at < paired) return at;
    return at >= after.length - tail ? at - after.length + before.length : -1;
  });
}
