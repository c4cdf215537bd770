import { pointerTo } from '../../../../../src/core/pointer.js';
import { alignLists } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers } from './json.js';
import { listSteps } from './list-steps.js';
import { sameJson } from './same-json.js';
import { keysOf, type Shape } from './shape.js';

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
