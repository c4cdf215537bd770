import { pointerTo } from '../../../../../src/core/pointer.js';
import { alignLists, keysOf, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, sameJson } from './json.js';

/** A value that both sides changed differently. */
export interface Conflict {
  /** Location in the merged document. */
  readonly pointer: string;
  readonly base: Json | undefined;
  /** The value in the merged document. */
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Three states of a location: the base, and both changed versions. */
export interface ThreeStates {
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Both sides' changes in one document. A conflict keeps my value and is reported. */
export interface Merged {
  readonly value: Json | undefined;
  readonly conflicts: readonly Conflict[];
}

/** Merges my changes since `base` into theirs. */
export function mergeThree(states: ThreeStates, shape?: Shape, pointer = ''): Merged {
  const { base, mine, theirs } = states;
  if (sameJson(mine, base) || sameJson(mine, theirs)) return { value: theirs, conflicts: [] };
  if (sameJson(theirs, base)) return { value: mine, conflicts: [] };
  if (isMembers(mine) && isMembers(theirs)) return mergeMembers(states, shape, pointer);
  if (isList(mine) && isList(theirs) && isList(base)) {
    const merged = mergeLists({ base, mine, theirs }, shape, pointer);
    if (merged) return merged;
  }
  return { value: mine, conflicts: [{ pointer, ...states }] };
}

function mergeMembers(states: ThreeStates, shape: Shape | undefined, pointer: string): Merged {
  const names = new Set([...namesOf(states.theirs), ...namesOf(states.mine)]);
  const merged = [...names].map((name) => {
    const inner = {
      base: memberIn(states.base, name),
      mine: memberIn(states.mine, name),
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
  readonly mine: JsonList;
  readonly theirs: JsonList;
}

/** Merges entries one by one if they have keys; otherwise a list is one value. */
function mergeLists(
  { base, mine, theirs }: ThreeLists,
  shape: Shape | undefined,
  pointer: string,
): Merged | undefined {
  const keys = keysOf(shape);
  if (keys.length === 0) return undefined;
  const toBase = alignLists(base, mine, keys);
  const toTheirs = alignLists(theirs, mine, keys);
  const theirsToBase = alignLists(base, theirs, keys);
  const conflicts: Conflict[] = [];
  const list: Json[] = [];
  const put = (states: ThreeStates) => {
    const merged = mergeThree(states, shape?.itemShape(), pointerTo(pointer, list.length));
    if (merged.value !== undefined) list.push(merged.value);
    conflicts.push(...merged.conflicts);
  };
  mine.forEach((entry, at) => {
    put({ base: base[toBase[at] ?? -1], mine: entry, theirs: theirs[toTheirs[at] ?? -1] });
  });
  const taken = new Set(toTheirs);
  theirs.forEach((entry, at) => {
    if (!taken.has(at)) put({ base: base[theirsToBase[at] ?? -1], mine: undefined, theirs: entry });
  });
  return { value: list, conflicts };
}
