import { pointerTo, pointerTokens } from '../../../../../src/core/pointer.js';
import { alignLists } from '../json/align-lists.js';
import { isList } from '../json/json.js';
import { lastToken, parentPointer } from '../json/locations.js';
import { nodeAt } from '../rows/find-node.js';
import type { Change } from '../types.js';
import { applyEdit, withValue } from './apply-edit.js';
import { addEntry } from './edit-lists.js';
import type { FormState } from './form-state.js';

/** Returns the state without one of its changes; the same state if its container is gone. */
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
      return broughtBack(state, change);
  }
}

function broughtBack(state: FormState, { pointer, before }: Change): FormState {
  const parent = pointer === '' ? '' : placeNow(state, parentPointer(pointer));
  if (parent === undefined || before === undefined) return state;
  const node = nodeAt(state, parent);
  const token = lastToken(pointer);
  if (pointer !== '' && isList(node?.loaded))
    return addEntry(state, parent, { value: before, at: Number(token) });
  return withValue(state, pointer === '' ? '' : pointerTo(parent, token), { value: before });
}

/** Returns the current location of a loaded value; undefined if an entry around it is gone. */
function placeNow(state: FormState, loadedPointer: string): string | undefined {
  let place = '';
  for (const token of pointerTokens(loadedPointer)) {
    const node = nodeAt(state, place);
    const index =
      node && isList(node.value) && isList(node.loaded)
        ? alignLists(node.loaded, node.value, node.field.keys).indexOf(Number(token))
        : undefined;
    if (index === -1) return undefined;
    place = pointerTo(place, index ?? token);
  }
  return place;
}
