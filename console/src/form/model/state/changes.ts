import { differences } from '../json/differences.js';
import { nodeAt } from '../rows/find-node.js';
import type { Node } from '../rows/node.js';
import { rowTitle } from '../rows/row-title.js';
import type { Change } from '../types.js';
import type { FormState } from './form-state.js';

const KNOWN = new WeakMap<FormState, readonly Change[]>();

/** Returns all differences from the loaded document, in document order. */
export function changesOf(state: FormState): readonly Change[] {
  const known = KNOWN.get(state);
  if (known) return known;
  const { loaded: before, data: after, form } = state;
  const found = differences({ before, after, earlier: '', pointer: '' }, form.root);
  const changes = found.map(({ kind, pointer, earlier, before: old, after: now }) => ({
    kind,
    pointer,
    loadedPointer: earlier,
    path: kind === 'removed' ? titlesTo(asLoaded(state), pointer) : titlesTo(state, pointer),
    before: old,
    after: now,
  }));
  KNOWN.set(state, changes);
  return changes;
}

/** Returns the titles of the rows from the root to a location. */
export function titlesTo(state: FormState, pointer: string): readonly string[] {
  const titles: string[] = [];
  for (let node: Node | undefined = nodeAt(state, pointer); node && node.pointer !== ''; node = node.parent)
    titles.unshift(rowTitle(node));
  return titles;
}

/** Returns the form with the loaded data, to look up removed locations. */
function asLoaded(state: FormState): FormState {
  return { ...state, data: state.loaded };
}
