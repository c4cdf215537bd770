import { pointerTo } from '../../../../../src/json/pointer.js';
import { isList, isMembers, type Json, sameJson } from '../json/json.js';
import { nodeAt } from '../rows/find-node.js';
import type { Edit } from '../types.js';
import { choose } from './choose.js';
import { addEntry, duplicateEntry, moveEntry, removeEntry } from './edit-lists.js';
import type { FormState } from './form-state.js';
import { committed } from './history.js';
import { startingValue } from './starting-value.js';
import { documentWith } from './write.js';

/**
 * Returns the state after an edit; the same state if the edit changes nothing or its location is invalid. A
 * read-only form never changes.
 */
export function applyEdit(state: FormState, edit: Edit): FormState {
  return state.form.options.readOnly === true ? state : withEdit(state, edit);
}

function withEdit(state: FormState, edit: Edit): FormState {
  switch (edit.kind) {
    case 'set':
      return withValue(state, edit.pointer, { value: edit.value, editName: `set ${edit.pointer}` });
    case 'clear':
    case 'remove':
      return withoutValue(state, edit.pointer);
    case 'presence':
      return edit.present ? withCreated(state, edit.pointer) : withoutValue(state, edit.pointer);
    case 'add':
      return addEntry(state, edit.pointer, edit);
    case 'duplicate':
      return duplicateEntry(state, edit.pointer);
    case 'move':
      return moveEntry(state, edit.pointer, edit.to);
    case 'member':
      return withCreated(state, pointerTo(edit.pointer, edit.name));
    case 'choose':
      return choose(state, edit.id, edit.alternative);
    case 'revert':
      return withReverted(state, edit.pointer);
  }
}

/** Returns the state with another value at a location; `undefined` removes the value. */
export function withValue(
  state: FormState,
  pointer: string,
  { value, editName = '' }: { readonly value: Json | undefined; readonly editName?: string },
): FormState {
  const node = nodeAt(state, pointer);
  if (!node || sameJson(node.value, value)) return state;
  const data = documentWith(node, value);
  return committed(state, { content: { data }, pointer, editName });
}

function withoutValue(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (node?.value === undefined) return state;
  return node.parent && isList(node.parent.value)
    ? removeEntry(state, node)
    : withValue(state, pointer, { value: undefined });
}

/** Returns the state with a new container, or a new member with any name, if it does not exist yet. */
function withCreated(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (!node || node.value !== undefined) return state;
  const created = withValue(state, pointer, { value: startingValue(node.field) });
  return { ...created, open: new Map(created.open).set(pointer, true) };
}

function withReverted(state: FormState, pointer: string): FormState {
  if (pointer === '') return state.data === state.loaded ? state : withDocumentReverted(state);
  const node = nodeAt(state, pointer);
  if (!node) return state;
  return node.loaded === undefined
    ? withoutValue(state, pointer)
    : withValue(state, pointer, { value: node.loaded });
}

function withDocumentReverted(state: FormState): FormState {
  const content = {
    data: state.loaded,
    chosen: new Map(),
    stashed: new Map(),
    hidden: new Map(),
    errors: [],
  };
  return committed(state, { content, pointer: '', editName: '' });
}

/** Returns true if the current document equals the loaded document. */
export function isUnchanged({ data, loaded }: FormState): boolean {
  return data === loaded || (isMembers(data) && sameJson(data, loaded));
}
