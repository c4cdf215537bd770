import { pointerTo } from '../../../../../src/json/pointer.js';
import { alignLists, keysOf, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, sameJson } from './json.js';

/** A value that both sides changed differently. */
export interface Conflict {
  /** Location in the merged document. */
  readonly pointer: string;
  readonly base: Json | undefined;
  /** The value in the merged document. */
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Three states of a location: the base, and both changed versions. */
interface ThreeStates {
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/** The changes of both sides in one document. For a conflict, the document contains our value. */
interface Merged {
  readonly value: Json | undefined;
  readonly conflicts: readonly Conflict[];
}

/** Merges our changes since `base` into their version. */
export function mergeThree(states: ThreeStates, shape?: Shape, pointer = ''): Merged {
  const { base, ours, theirs } = states;
  if (sameJson(ours, base) || sameJson(ours, theirs)) return { value: theirs, conflicts: [] };
  if (sameJson(theirs, base)) return { value: ours, conflicts: [] };
  if (isMembers(ours) && isMembers(theirs)) return mergeMembers(states, shape, pointer);
  if (isList(ours) && isList(theirs) && isList(base)) {
    const merged = mergeLists({ base, ours, theirs }, shape, pointer);
    if (merged) return merged;
  }
  return { value: ours, conflicts: [{ pointer, ...states }] };
}

function mergeMembers(states: ThreeStates, shape: Shape | undefined, pointer: string): Merged {
  const names = new Set([...namesOf(states.theirs), ...namesOf(states.ours)]);
  const merged = [...names].map((name) => {
    const inner = {
      base: memberIn(states.base, name),
      ours: memberIn(states.ours, name),
      theirs: memberIn(states.theirs, name),
    };
    return [name, mergeThree(inner, shape?.memberShape(name), pointerTo(pointer, name))] as const;
  });
  const members = merged.flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    value: Object.fromEntries<Json>(members),
    conflicts: merged.flatMap(([, { conflicts }]) => conflicts),
  };
}

function namesOf(value: Json | undefined): readonly string[] {
  return isMembers(value) ? Object.keys(value) : [];
}

function memberIn(value: Json | undefined, name: string): Json | undefined {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

interface ThreeLists {
  readonly base: JsonList;
  readonly ours: JsonList;
  readonly theirs: JsonList;
}

/** Merges the entries of a list by their keys; undefined if the list has no keys. */
function mergeLists(
  { base, ours, theirs }: ThreeLists,
  shape: Shape | undefined,
  pointer: string,
): Merged | undefined {
  const keys = keysOf(shape);
  if (keys.length === 0) return undefined;
  const toBase = alignLists(base, ours, keys);
  const toTheirs = alignLists(theirs, ours, keys);
  const theirsToBase = alignLists(base, theirs, keys);
  const conflicts: Conflict[] = [];
  const list: Json[] = [];
  const merge = (states: ThreeStates) => {
    const merged = mergeThree(states, shape?.itemShape(), pointerTo(pointer, list.length));
    if (merged.value !== undefined) list.push(merged.value);
    conflicts.push(...merged.conflicts);
  };
  ours.forEach((entry, at) => {
    merge({ base: base[toBase[at] ?? -1], ours: entry, theirs: theirs[toTheirs[at] ?? -1] });
  });
  const matched = new Set(toTheirs);
  theirs.forEach((entry, at) => {
    if (!matched.has(at)) merge({ base: base[theirsToBase[at] ?? -1], ours: undefined, theirs: entry });
  });
  return { value: list, conflicts };
}
