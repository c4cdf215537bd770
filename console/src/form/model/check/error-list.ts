import { parentPointer, pointersTo } from '../json/locations.js';
import { childrenOf } from '../rows/children.js';
import { nodeAt, nodeOf, rootNode } from '../rows/find-node.js';
import type { Node } from '../rows/node.js';
import { titlesTo } from '../state/changes.js';
import type { FormState } from '../state/form-state.js';
import type { ErrorGroup, RowError } from '../types.js';
import { errorsAt, errorsBelow } from './error-locations.js';

/** Returns all errors in row order; an error without a row is sorted to the row that contains it. */
export function errorsOf(state: FormState): readonly RowError[] {
  const order = new Map(idsInOrder(state).map((id, at) => [id, at]));
  const placeOf = ({ pointer }: RowError) =>
    order.get(pointersTo(pointer).findLast((around) => order.has(around)) ?? '') ?? -1;
  return state.errors.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Groups errors by their container, for a summary with counts. */
export function errorGroups(state: FormState): readonly ErrorGroup[] {
  const groups = new Map<string, RowError[]>();
  for (const error of errorsOf(state)) {
    const pointer = containerAround(state, error.pointer);
    groups.set(pointer, [...(groups.get(pointer) ?? []), error]);
  }
  return [...groups].map(([pointer, errors]) => ({
    pointer,
    title: titlesTo(state, pointer).join(' / '),
    errors,
  }));
}

/**
 * Returns the id of the next or previous row with an error, wrapping around at the end. Undefined if there
 * are no errors.
 */
export function nextError(state: FormState, from: string | undefined, step: 1 | -1): string | undefined {
  const ids = [...new Set(errorsOf(state).flatMap(({ pointer }) => rowIdOf(state, pointer) ?? []))];
  const ordered = step === 1 ? ids : ids.toReversed();
  const here = from === undefined ? -1 : ordered.indexOf(from);
  if (here !== -1 || from === undefined) return ordered[here + 1] ?? ordered[0];
  return ordered.find((id) => isBehind(state, id, from) === (step === 1)) ?? ordered[0];
}

/** Returns the row that shows an error: the row of its location, or the closest row that contains it. */
export function rowIdOf(state: FormState, pointer: string): string | undefined {
  return pointersTo(pointer).findLast((around) => (nodeOf(state, around)?.level ?? 0) > 0);
}

/** Returns the ids of all nodes with errors at or below them, in row order. */
function idsInOrder(state: FormState): readonly string[] {
  const ids: string[] = [];
  const visit = (node: Node): void => {
    ids.push(node.id);
    if (node.kind === 'choice' || errorsBelow(state, node.pointer) > 0)
      childrenOf(state, node).filter(hasErrors).forEach(visit);
  };
  const hasErrors = ({ kind, pointer }: Node) =>
    kind === 'choice' || errorsAt(state, pointer).length > 0 || errorsBelow(state, pointer) > 0;
  visit(rootNode(state));
  return ids;
}

/**
 * True if a row comes after another one that has no errors. Compares the first ancestors in which their paths
 * differ.
 */
function isBehind(state: FormState, id: string, other: string): boolean {
  const [a, b] = [wayTo(state, id), wayTo(state, other)];
  const parting = a.findIndex((node, at) => node.id !== b[at]?.id);
  if (parting === -1) return false;
  const around = a[parting - 1];
  const [mine, others] = [a[parting], b[parting]];
  if (!around || !mine || !others) return true;
  const ids = childrenOf(state, around).map((child) => child.id);
  return ids.indexOf(mine.id) > ids.indexOf(others.id);
}

function wayTo(state: FormState, id: string): readonly Node[] {
  const way: Node[] = [];
  for (let node = nodeOf(state, id); node; node = node.parent) way.unshift(node);
  return way;
}

/** Returns the innermost container or entry that contains a location. */
function containerAround(state: FormState, pointer: string): string {
  return (
    pointersTo(parentPointer(pointer)).findLast((place) =>
      CONTAINERS.has(nodeAt(state, place)?.kind ?? ''),
    ) ?? ''
  );
}

const CONTAINERS: ReadonlySet<string> = new Set(['container', 'presence', 'entry']);
