import type { Work } from '../slices.js';
import { changesOf } from '../state/changes.js';
import type { FormState } from '../state/form-state.js';
import { checkAt } from './check.js';

/**
 * Compiles the schema, which is the slowest operation of a form. Returns the state with the errors of all changes if they
 * were made before the form could be checked.
 */
export function prepareChecks(state: FormState, areUnchecked: boolean): FormState {
  const { compiled } = state.form.document;
  if (!areUnchecked || 'faults' in compiled) return state;
  return changesOf(state).reduce((checked, { pointer }) => checkAt(checked, pointer), state);
}

/** Creates the index for searches in steps. */
export function* prepareSearch({ form }: FormState): Work<void> {
  yield* form.document.index.search({});
}
