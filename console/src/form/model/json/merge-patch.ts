import { isMembers, type Json, type JsonMembers } from './json.js';
import { sameJson } from './same-json.js';

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
