import { pointerTo } from '../../../../../src/json/pointer.js';
import { alignLists, keysOf, listSteps, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers, sameJson } from './json.js';

/** A difference between two states of a document. */
interface Difference {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** Location in the later state; for a removal, in the earlier state. */
  readonly pointer: string;
  /** Location in the earlier state. */
  readonly earlier: string | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The values of one location in two states of a document. */
interface TwoStates {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Location in the earlier state. */
  readonly earlier: string;
  /** Location in the later state. */
  readonly pointer: string;
}

/** Returns all differences: leaves, added, removed or moved list entries, and values whose kind changed. */
export function differences(
  { before, after, earlier, pointer }: TwoStates,
  shape?: Shape,
): readonly Difference[] {
  if (sameJson(before, after)) return [];
  if (after === undefined) return [{ kind: 'removed', pointer: earlier, earlier, before, after }];
  if (before === undefined) return additions({ before, after, earlier, pointer }, shape);
  if (isMembers(before) && isMembers(after))
    return memberDifferences({ before, after, earlier, pointer }, shape);
  if (isList(before) && isList(after)) return listDifferences({ before, after, earlier, pointer }, shape);
  return [{ kind: 'changed', pointer, earlier, before, after }];
}

/** Returns an addition for each leaf of a new container; an empty container is itself an addition. */
function additions(states: TwoStates, shape: Shape | undefined): readonly Difference[] {
  const { after, earlier, pointer } = states;
  if (isMembers(after) && Object.keys(after).length > 0)
    return memberDifferences({ before: {}, after, earlier, pointer }, shape);
  return [{ kind: 'added', pointer, earlier: undefined, before: undefined, after }];
}

interface ValuePair<T> {
  readonly before: T;
  readonly after: T;
  readonly earlier: string;
  readonly pointer: string;
}

function memberDifferences(
  { before, after, earlier, pointer }: ValuePair<JsonMembers>,
  shape: Shape | undefined,
): readonly Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const states = {
      before: Object.hasOwn(before, name) ? before[name] : undefined,
      after: Object.hasOwn(after, name) ? after[name] : undefined,
      earlier: pointerTo(earlier, name),
      pointer: pointerTo(pointer, name),
    };
    return states.before === states.after ? [] : differences(states, shape?.memberShape(name));
  });
}

function listDifferences(
  { before, after, earlier, pointer }: ValuePair<JsonList>,
  shape: Shape | undefined,
): readonly Difference[] {
  const { removed, placements } = listSteps(before.length, alignLists(before, after, keysOf(shape)));
  const removals = removed.toReversed().map((at) => {
    const location = pointerTo(earlier, at);
    return {
      kind: 'removed',
      pointer: location,
      earlier: location,
      before: before[at],
      after: undefined,
    } as const;
  });
  const rest = placements.flatMap(({ to, from, source }): readonly Difference[] => {
    const location = pointerTo(pointer, to);
    const value = after[to];
    if (from === -1)
      return [{ kind: 'added', pointer: location, earlier: undefined, before: undefined, after: value }];
    const states = {
      before: before[from],
      after: value,
      earlier: pointerTo(earlier, from),
      pointer: location,
    };
    const inside = states.before === value ? [] : differences(states, shape?.itemShape());
    return source === to ? inside : [{ kind: 'moved', ...states }, ...inside];
  });
  return [...removals, ...rest];
}
