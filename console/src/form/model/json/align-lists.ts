import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import { writeJson } from './json-text.js';
import { childOf, isList, isMembers, isStructure, type Json, type JsonList, sameJson } from './json.js';

/** For each item of `after`, the index of the same item in `before`; -1 for a new item. */
type Alignment = readonly number[];

const ALIGNMENTS = new WeakMap<JsonList, { readonly before: JsonList; readonly alignment: Alignment }>();

/**
 * Finds the same items in two states of a list. Items match by the values of their keys; scalars match by
 * value. Otherwise equal items at both ends match, and then items at the same position.
 */
export function alignLists(before: JsonList, after: JsonList, keys: readonly string[]): Alignment {
  const known = ALIGNMENTS.get(after);
  if (known?.before === before) return known.alignment;
  const ids = identitiesOf(before, keys);
  const laterIds = ids && identitiesOf(after, keys);
  const alignment = ids && laterIds ? byIdentity(ids, laterIds) : byPosition(before, after);
  ALIGNMENTS.set(after, { before, alignment });
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
  const positions = new Map(before.map((id, at) => [id, at]));
  const found = after.map((id) => positions.get(id) ?? -1);
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

/** Moves or adds one item of a list. */
interface ListStep {
  /** Index in the new list. */
  readonly to: number;
  /** Index in the original list; -1 for a new item. */
  readonly from: number;
  /** Index right before this step, after all earlier steps; -1 for a new item. */
  readonly source: number;
}

/** The steps that turn one list into another. Removals come first. */
interface ListSteps {
  /** Indexes to remove, the lowest first. */
  readonly removed: readonly number[];
  /** Placements, the lowest target first. */
  readonly placements: readonly ListStep[];
}

export function listSteps(length: number, alignment: Alignment): ListSteps {
  const matched = new Set(alignment);
  const indexes = Array.from({ length }, (_, at) => at);
  const removed = indexes.filter((at) => !matched.has(at));
  const remaining = indexes.filter((at) => matched.has(at));
  const placements = alignment.map((from, to) => {
    if (from === -1) {
      remaining.splice(to, 0, -1);
      return { to, from, source: -1 };
    }
    const source = remaining.indexOf(from, to);
    if (source !== to) remaining.splice(to, 0, ...remaining.splice(source, 1));
    return { to, from, source };
  });
  return { removed, placements };
}

/** The part of the schema that a comparison of two states needs: the keys that identify list entries. */
export interface Shape {
  readonly keys: readonly string[];
  readonly memberShape: (name: string) => Shape | undefined;
  readonly itemShape: () => Shape | undefined;
}

/** Returns the keys of a list; none if its location is not in the schema. */
export function keysOf(shape: Shape | undefined): readonly string[] {
  return shape?.keys ?? [];
}

/**
 * Returns the pointer of a location in another version of the document, where entries of lists may have another index;
 * undefined if the other version does not have the entry. The location itself may be absent in both.
 */
export function pointerIn(
  other: Json | undefined,
  from: { readonly document: Json | undefined; readonly pointer: string },
  root: Shape,
): string | undefined {
  let [here, there, shape, found] = [from.document, other, root as Shape | undefined, ''];
  for (const token of pointerTokens(from.pointer)) {
    let name = token;
    if (isList(here)) {
      const at = isList(there) ? alignLists(here, there, keysOf(shape)).indexOf(Number(token)) : -1;
      if (at === -1) return undefined;
      name = String(at);
      shape = shape?.itemShape();
    } else shape = shape?.memberShape(token);
    found = pointerTo(found, name);
    [here, there] = [childOf(here, token), childOf(there, name)];
  }
  return found;
}
