import { pointerTo } from '../../../../../src/json/pointer.js';
import { alignLists, keysOf, listSteps, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers, sameJson } from './json.js';

/** One operation of RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** The values of one location in two states of a document. */
interface PatchPair<T> {
  readonly before: T;
  readonly after: T;
}

/** Returns the operations (RFC 6902) that turn `before` into `after`. */
export function patchBetween(
  { before, after }: PatchPair<Json>,
  shape?: Shape,
  path = '',
): readonly PatchOperation[] {
  if (sameJson(before, after)) return [];
  if (isMembers(before) && isMembers(after)) return membersPatch({ before, after }, shape, path);
  if (isList(before) && isList(after)) return listPatch({ before, after }, shape, path);
  return [{ op: 'replace', path, value: after }];
}

function membersPatch(
  { before, after }: PatchPair<JsonMembers>,
  shape: Shape | undefined,
  path: string,
): readonly PatchOperation[] {
  const removed = Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name) => ({ op: 'remove', path: pointerTo(path, name) }) as const);
  const assignments = Object.entries(after).flatMap(([name, value]) => {
    const location = pointerTo(path, name);
    const previous = Object.hasOwn(before, name) ? before[name] : undefined;
    if (previous === undefined) return [{ op: 'add', path: location, value } as const];
    return patchBetween({ before: previous, after: value }, shape?.memberShape(name), location);
  });
  return [...removed, ...assignments];
}

function listPatch(
  { before, after }: PatchPair<JsonList>,
  shape: Shape | undefined,
  path: string,
): readonly PatchOperation[] {
  const { removed, placements } = listSteps(before.length, alignLists(before, after, keysOf(shape)));
  const removals = removed.map((at) => ({ op: 'remove', path: pointerTo(path, at) }) as const);
  const operations = placements.flatMap(({ to, from, source }): readonly PatchOperation[] => {
    const location = pointerTo(path, to);
    const [previous, value] = [before[from], after[to]];
    if (value === undefined) return [];
    if (previous === undefined) return [{ op: 'add', path: location, value }];
    const moved =
      source === to ? [] : [{ op: 'move', from: pointerTo(path, source), path: location } as const];
    return [...moved, ...patchBetween({ before: previous, after: value }, shape?.itemShape(), location)];
  });
  return [...removals, ...operations];
}

/**
 * Returns the merge patch (RFC 7396) that turns `before` into `after`; undefined if a member becomes null,
 * which a merge patch cannot express.
 */
export function mergePatchBetween(before: Json, after: Json): Json | undefined {
  if (!isMembers(after)) return after;
  const previous = isMembers(before) ? before : {};
  const removed = Object.keys(previous)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name) => [name, null] as const);
  const assignments = Object.entries(after)
    .filter(([name, value]) => !Object.hasOwn(previous, name) || !sameJson(previous[name], value))
    .map(([name, value]) => [name, memberPatch(previous, name, value)] as const);
  const expressible = assignments.flatMap(([name, patch]) =>
    patch === undefined ? [] : [[name, patch] as const],
  );
  return expressible.length === assignments.length
    ? Object.fromEntries<Json>([...removed, ...expressible])
    : undefined;
}

function memberPatch(previous: JsonMembers, name: string, value: Json): Json | undefined {
  if (value === null) return undefined;
  return mergePatchBetween((Object.hasOwn(previous, name) ? previous[name] : undefined) ?? null, value);
}
