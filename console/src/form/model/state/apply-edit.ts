import { pointerTo } from '../../../../../src/core/pointer.js';
import { isList, isMembers, type Json, sameJson } from '../json/json.js';
import { nodeAt } from '../rows/find-node.js';
import type { Edit } from '../types.js';
import { choose } from './choose.js';
import { addEntry, duplicateEntry, moveEntry, removeEntry } from './edit-lists.js';
import type { FormState } from './form-state.js';
import { committed } from './history.js';
import { startingValue } from './starting-value.js';
import { written } from './write.js';

/**
 * Returns the state after an edit; the same state if the edit changes nothing or its location is invalid. A
 * read-only form never changes.
 */
export function applyEdit(state: FormState, edit: Edit): FormState {
  return state.form.options.readOnly === true ? state : edited(state, edit);
}

function edited(state: FormState, edit: Edit): FormState {
  switch (edit.kind) {
    case 'set':
      return withValue(state, edit.pointer, { value: edit.value, what: `set ${edit.pointer}` });
    case 'clear':
    case 'remove':
      return withoutValue(state, edit.pointer);
    case 'presence':
      return edit.present ? switchedOn(state, edit.pointer) : withoutValue(state, edit.pointer);
    case 'add':
      return addEntry(state, edit.pointer, edit);
    case 'duplicate':
      return duplicateEntry(state, edit.pointer);
    case 'move':
      return moveEntry(state, edit.pointer, edit.to);
    case 'member':
      return switchedOn(state, pointerTo(edit.pointer, edit.name));
    case 'choose':
      return choose(state, edit.id, edit.alternative);
    case 'revert':
      return reverted(state, edit.pointer);
  }
}

/** Returns the state with another value at a location, whatever was there. */
export function withValue(
  state: FormState,
  pointer: string,
  { value, what = '' }: { readonly value: Json | undefined; readonly what?: string },
): FormState {
  const node = nodeAt(state, pointer);
  if (!node || sameJson(node.value, value)) return state;
  const data = written(node, value);
  return committed(state, { content: { data }, pointer, what });
}

function withoutValue(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (node?.value === undefined) return state;
  return node.parent && isList(node.parent.value)
    ? removeEntry(state, node)
    : withValue(state, pointer, { value: undefined });
}

/** Creates a container, or a member with any name, if it does not exist. */
function switchedOn(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (!node || node.value !== undefined) return state;
  const made = withValue(state, pointer, { value: startingValue(node.field) });
  return { ...made, open: new Map(made.open).set(pointer, true) };
}

function reverted(state: FormState, pointer: string): FormState {
  if (pointer === '') return state.data === state.loaded ? state : revertedWhole(state);
  const node = nodeAt(state, pointer);
  if (!node) return state;
  return node.loaded === undefined
    ? withoutValue(state, pointer)
    : withValue(state, pointer, { value: node.loaded });
}

function revertedWhole(state: FormState): FormState {
  const content = { data: state.loaded, chosen: new Map(), aside: new Map(), errors: [] };
  return committed(state, { content, pointer: '', what: '' });
}

/** True if nothing differs from the loaded document. */
export function isUnchanged({ data, loaded }: FormState): boolean {
  return data === loaded || (isMembers(data) && sameJson(data, loaded));
}
