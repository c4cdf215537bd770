import { pointerTo } from '../../../../../src/json/pointer.js';
import { pointerIn } from '../json/align-lists.js';
import { differences } from '../json/differences.js';
import { isList, type Json, lastToken, parentPointer } from '../json/json.js';
import { nodeAt } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import { rowTitle } from '../rows/row-properties.js';
import type { Change } from '../types.js';
import { addEntry, applyEdit, withValue } from './apply-edit.js';
import type { FormState } from './form-state.js';

const CHANGES = new WeakMap<FormState, readonly Change[]>();

/** Returns all differences from the loaded document, in document order. */
export function changesOf(state: FormState): readonly Change[] {
  const known = CHANGES.get(state);
  if (known) return known;
  const changes = changesAgainst(state, state.loaded);
  CHANGES.set(state, changes);
  return changes;
}

/**
 * Returns all differences of the current data from a base document, in document order: for example from the
 * proposal of a workflow, which is not the loaded document after a draft was saved. `loadedPointer` is the
 * location in the base.
 */
export function changesAgainst(state: FormState, base: Json | undefined): readonly Change[] {
  const found = differences({ before: base, after: state.data, earlier: '', pointer: '' }, state.form.root);
  const baseState = { ...state, data: base };
  return [...found].map(({ kind, pointer, earlier, before, after }) => ({
    kind,
    pointer,
    loadedPointer: earlier,
    path: titlesTo(kind === 'removed' ? baseState : state, pointer),
    before,
    after,
  }));
}

/** Returns the titles of the rows from the root to a location. */
export function titlesTo(state: FormState, pointer: string): readonly string[] {
  const titles: string[] = [];
  for (let node: Node | undefined = nodeAt(state, pointer); node && node.pointer !== ''; node = node.parent)
    titles.unshift(rowTitle(node));
  return titles;
}

/**
 * Returns the state without one of its changes; the same state if the container of the change was removed.
 */
export function revertChange(state: FormState, change: Change): FormState {
  switch (change.kind) {
    case 'added':
      return applyEdit(state, { kind: 'remove', pointer: change.pointer });
    case 'changed':
      return withValue(state, change.pointer, { value: change.before });
    case 'moved':
      return applyEdit(state, {
        kind: 'move',
        pointer: change.pointer,
        to: Number(lastToken(change.loadedPointer ?? '')),
      });
    case 'removed':
      return withRestored(state, change);
  }
}

function withRestored(state: FormState, { pointer, before }: Change): FormState {
  const container = { document: state.loaded, pointer: parentPointer(pointer) };
  const parent = pointerIn(state.data, container, state.form.root);
  if (parent === undefined || before === undefined) return state;
  const node = nodeAt(state, parent);
  const token = lastToken(pointer);
  if (pointer !== '' && isList(node?.loaded))
    return addEntry(state, parent, { value: before, at: Number(token) });
  return withValue(state, pointer === '' ? '' : pointerTo(parent, token), { value: before });
}
