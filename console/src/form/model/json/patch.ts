import type { Shape } from './align-lists.js';
import { differences } from './differences.js';
import { isMembers, type Json, type JsonMembers, sameJson } from './json.js';

/** One operation of RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** Returns the operations (RFC 6902) that turn `before` into `after`. */
export function patchBetween(
  before: Json | undefined,
  after: Json | undefined,
  shape: Shape,
): readonly PatchOperation[] {
  const found = differences({ before, after, earlier: '', pointer: '' }, shape, true);
  return [...found].map(({ kind, path, from = path, after: value = null }) => {
    if (kind === 'removed') return { op: 'remove', path };
    if (kind === 'moved') return { op: 'move', from, path };
    return { op: kind === 'added' ? 'add' : 'replace', path, value };
  });
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
