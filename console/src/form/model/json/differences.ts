import { pointerTo } from '../../../../../src/json/pointer.js';
import { alignLists, keysOf, listSteps, type Shape } from './align-lists.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers, sameJson } from './json.js';

/** A difference between two states of a document. Applied in order, each at its `path`, they turn one state into the other. */
interface Difference {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** Location in the later state; for a removal, in the earlier state. */
  readonly pointer: string;
  /** Location in the earlier state. */
  readonly earlier: string | undefined;
  /** Location after all earlier differences. */
  readonly path: string;
  /** Location of a moved entry before it is moved, after all earlier differences. */
  readonly from?: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The values of one location in two states of a document. */
interface TwoStates<Before = Json | undefined, After = Before> {
  readonly before: Before;
  readonly after: After;
  /** Location in the earlier state. */
  readonly earlier: string;
  /** Location in the later state. */
  readonly pointer: string;
}

/**
 * Yields all differences: leaves, added, removed or moved list entries, and values whose kind changed. `isWhole` yields an
 * added object as one difference, instead of one for each leaf.
 */
export function* differences(states: TwoStates, shape?: Shape, isWhole = false): Iterable<Difference> {
  const { before, after, earlier, pointer } = states;
  const place = { pointer, earlier, path: pointer, before, after };
  if (sameJson(before, after)) return;
  if (after === undefined) yield { kind: 'removed', ...place, pointer: earlier };
  else if (isMembers(after) && (isMembers(before) || isAddedByLeaves(states, isWhole)))
    yield* memberDifferences({ ...states, before: isMembers(before) ? before : {}, after }, shape, isWhole);
  else if (before === undefined) yield { kind: 'added', ...place, earlier: undefined };
  else if (isList(before) && isList(after))
    yield* listDifferences({ ...states, before, after }, shape, isWhole);
  else yield { kind: 'changed', ...place };
}

/** Returns true for a new object with members; an empty one is itself an addition. */
function isAddedByLeaves({ before, after }: TwoStates, isWhole: boolean): boolean {
  return !isWhole && before === undefined && isMembers(after) && Object.keys(after).length > 0;
}

function* memberDifferences(
  { before, after, earlier, pointer }: TwoStates<JsonMembers>,
  shape: Shape | undefined,
  isWhole: boolean,
): Iterable<Difference> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const states = {
      before: Object.hasOwn(before, name) ? before[name] : undefined,
      after: Object.hasOwn(after, name) ? after[name] : undefined,
      earlier: pointerTo(earlier, name),
      pointer: pointerTo(pointer, name),
    };
    if (states.before !== states.after) yield* differences(states, shape?.memberShape(name), isWhole);
  }
}

function* listDifferences(
  { before, after, earlier, pointer }: TwoStates<JsonList>,
  shape: Shape | undefined,
  isWhole: boolean,
): Iterable<Difference> {
  const { removed, placements } = listSteps(before.length, alignLists(before, after, keysOf(shape)));
  for (const [count, at] of removed.entries()) {
    const place = pointerTo(earlier, at);
    const path = pointerTo(pointer, at - count);
    yield { kind: 'removed', pointer: place, earlier: place, path, before: before[at], after: undefined };
  }
  for (const { to, from, source } of placements) {
    const path = pointerTo(pointer, to);
    const states = {
      before: before[from],
      after: after[to],
      earlier: pointerTo(earlier, from),
      pointer: path,
    };
    if (from === -1) yield { kind: 'added', ...states, path, earlier: undefined };
    else if (source !== to) yield { kind: 'moved', ...states, path, from: pointerTo(pointer, source) };
    if (from !== -1 && states.before !== states.after)
      yield* differences(states, shape?.itemShape(), isWhole);
  }
}
