import { pointerTo } from '../../../../../src/core/pointer.js';
import { alignLists, keysOf, listSteps, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers, sameJson } from './json.js';

/** A difference between two states of a document. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** Location in the later state; for a removal, in the earlier state. */
  readonly pointer: string;
  /** Location in the earlier state. */
  readonly earlier: string | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** A location in two states of a document. */
export interface TwoStates {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Location in either state. */
  readonly earlier: string;
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

/** Reports a new container by its content. */
function additions(states: TwoStates, shape: Shape | undefined): readonly Difference[] {
  const { after, earlier, pointer } = states;
  if (isMembers(after) && Object.keys(after).length > 0)
    return memberDifferences({ before: {}, after, earlier, pointer }, shape);
  return [{ kind: 'added', pointer, earlier: undefined, before: undefined, after }];
}

interface Both<T> {
  readonly before: T;
  readonly after: T;
  readonly earlier: string;
  readonly pointer: string;
}

function memberDifferences(
  { before, after, earlier, pointer }: Both<JsonMembers>,
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
  { before, after, earlier, pointer }: Both<JsonList>,
  shape: Shape | undefined,
): readonly Difference[] {
  const { removed, placed } = listSteps(before.length, alignLists(before, after, keysOf(shape)));
  const gone = removed.toReversed().map((at) => {
    const place = pointerTo(earlier, at);
    return { kind: 'removed', pointer: place, earlier: place, before: before[at], after: undefined } as const;
  });
  const others = placed.flatMap(({ to, from, source }): readonly Difference[] => {
    const place = pointerTo(pointer, to);
    const value = after[to];
    if (from === -1)
      return [{ kind: 'added', pointer: place, earlier: undefined, before: undefined, after: value }];
    const states = { before: before[from], after: value, earlier: pointerTo(earlier, from), pointer: place };
    const inside = states.before === value ? [] : differences(states, shape?.itemShape());
    return source === to ? inside : [{ kind: 'moved', ...states }, ...inside];
  });
  return [...gone, ...others];
}
