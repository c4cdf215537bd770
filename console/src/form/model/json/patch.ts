import { pointerTo } from '../../../../../src/core/pointer.js';
import { alignLists, keysOf, listSteps, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers, sameJson } from './json.js';

/** One operation of RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** Two states of a location. */
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
  const set = Object.entries(after).flatMap(([name, value]) => {
    const place = pointerTo(path, name);
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old === undefined) return [{ op: 'add', path: place, value } as const];
    return patchBetween({ before: old, after: value }, shape?.memberShape(name), place);
  });
  return [...removed, ...set];
}

function listPatch(
  { before, after }: PatchPair<JsonList>,
  shape: Shape | undefined,
  path: string,
): readonly PatchOperation[] {
  const { removed, placed } = listSteps(before.length, alignLists(before, after, keysOf(shape)));
  const removals = removed.map((at) => ({ op: 'remove', path: pointerTo(path, at) }) as const);
  const placements = placed.flatMap(({ to, from, source }): readonly PatchOperation[] => {
    const place = pointerTo(path, to);
    const [old, value] = [before[from], after[to]];
    if (value === undefined) return [];
    if (old === undefined) return [{ op: 'add', path: place, value }];
    const moved = source === to ? [] : [{ op: 'move', from: pointerTo(path, source), path: place } as const];
    return [...moved, ...patchBetween({ before: old, after: value }, shape?.itemShape(), place)];
  });
  return [...removals, ...placements];
}

/**
 * Returns the merge patch (RFC 7396) that turns `before` into `after`; undefined if a member becomes null,
 * which a merge patch cannot express.
 */
export function mergePatchBetween(before: Json, after: Json): Json | undefined {
  if (!isMembers(after)) return after;
  const old = isMembers(before) ? before : {};
  const removed = Object.keys(old)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name) => [name, null] as const);
  const set = Object.entries(after)
    .filter(([name, value]) => !Object.hasOwn(old, name) || !sameJson(old[name], value))
    .map(([name, value]) => [name, memberPatch(old, name, value)] as const);
  const said = set.flatMap(([name, patch]) => (patch === undefined ? [] : [[name, patch] as const]));
  return said.length === set.length ? Object.fromEntries<Json>([...removed, ...said]) : undefined;
}

function memberPatch(old: JsonMembers, name: string, value: Json): Json | undefined {
  if (value === null) return undefined;
  return mergePatchBetween((Object.hasOwn(old, name) ? old[name] : undefined) ?? null, value);
}
