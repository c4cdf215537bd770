import { isMembers, isStructure, type Json, type JsonList, sameJson } from './json.js';
import { writeJson } from './json-text.js';

/** For each item of `after`, the index of the same item in `before`; -1 for a new item. */
export type Alignment = readonly number[];

const KNOWN = new WeakMap<JsonList, { readonly before: JsonList; readonly alignment: Alignment }>();

/**
 * Finds the same items in two states of a list. Items match by the values of their keys; scalars match by
 * value. Otherwise equal items at both ends match, and then items at the same position.
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

/** Returns the identities of all items; undefined if an item has no unique identity. */
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
  // An edited key leaves an unmatched item in both lists: at the same position it is the same entry.
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

/** Target of an item: `source` is its index right before the step, in the list as changed so far. */
export interface ListStep {
  readonly to: number;
  /** Index in the original list; -1 for a new item. */
  readonly from: number;
  readonly source: number;
}

/**
 * The steps that turn one list into another: first removals, starting with the last one, then items from the
 * front.
 */
export interface ListSteps {
  readonly removed: readonly number[];
  readonly placed: readonly ListStep[];
}

/** Returns the steps for an alignment with a list of the given length. */
export function listSteps(length: number, alignment: Alignment): ListSteps {
  const kept = new Set(alignment);
  const all = Array.from({ length }, (_, at) => at);
  const removed = all.filter((at) => !kept.has(at)).reverse();
  const work = all.filter((at) => kept.has(at));
  const placed = alignment.map((from, to) => {
    if (from === -1) {
      work.splice(to, 0, -1);
      return { to, from, source: -1 };
    }
    const source = work.indexOf(from, to);
    if (source !== to) work.splice(to, 0, ...work.splice(source, 1));
    return { to, from, source };
  });
  return { removed, placed };
}

/**
 * Facts about a location that are needed to compare two states: for example, the keys that identify list
 * entries.
 */
export interface Shape {
  readonly keys: readonly string[];
  readonly memberShape: (name: string) => Shape | undefined;
  readonly itemShape: () => Shape | undefined;
}

/** Returns the keys of a list at a location that may be unknown. */
export function keysOf(shape: Shape | undefined): readonly string[] {
  return shape?.keys ?? [];
}
