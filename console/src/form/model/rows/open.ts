import { nodeOf } from './find-node.js';
import type { FormState } from '../state/form-state.js';

/** The state with a row opened or closed. */
export function withOpen(state: FormState, id: string, open: boolean): FormState {
  return state.open.get(id) === open ? state : { ...state, open: new Map(state.open).set(id, open) };
}

/** The state with every row open, as far as there is data or an end. */
export function openAll(state: FormState): FormState {
  return { ...state, unfolding: 'all', open: new Map() };
}

/** The state with every row closed. */
export function closeAll(state: FormState): FormState {
  return { ...state, unfolding: 'none', open: new Map() };
}

/** The state in which a row is shown: what is around it is open, and the filter is off if it hid it. */
export function reveal(state: FormState, id: string): FormState {
  const open = new Map(state.open);
  for (let around = nodeOf(state, id)?.parent; around && around.level > 0; around = around.parent)
    open.set(around.id, true);
  return { ...state, open, filter: '' };
}

/** The state with a filter: `is:changed`, `is:error`, `is:required`, `is:filled`, `type:<type>` and words, all of which are to be found. */
export function withFilter(state: FormState, filter: string): FormState {
  return state.filter === filter ? state : { ...state, filter };
}
