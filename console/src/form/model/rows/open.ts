import { nodeOf } from './find-node.js';
import type { FormState } from '../state/form-state.js';

/** Returns the state with a row opened or closed. */
export function withOpen(state: FormState, id: string, open: boolean): FormState {
  return state.open.get(id) === open ? state : { ...state, open: new Map(state.open).set(id, open) };
}

/** Returns the state with every row open; rows without data only if the schema is not recursive. */
export function openAll(state: FormState): FormState {
  return { ...state, unfolding: 'all', open: new Map() };
}

/** Returns the state with every row closed. */
export function closeAll(state: FormState): FormState {
  return { ...state, unfolding: 'none', open: new Map() };
}

/**
 * Returns the state in which a row is visible: its ancestors are open, and a filter that hid it is cleared.
 */
export function reveal(state: FormState, id: string): FormState {
  const open = new Map(state.open);
  for (let around = nodeOf(state, id)?.parent; around && around.level > 0; around = around.parent)
    open.set(around.id, true);
  return { ...state, open, filter: '' };
}

/**
 * Returns the state with a filter: `is:changed`, `is:error`, `is:required`, `is:filled`, `type:<type>` and
 * words, all of which must match.
 */
export function withFilter(state: FormState, filter: string): FormState {
  return state.filter === filter ? state : { ...state, filter };
}
