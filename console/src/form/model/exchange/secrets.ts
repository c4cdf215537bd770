import { withFilter } from '../rows/open.js';
import { rowsOf } from '../rows/rows-of.js';
import type { FormState } from '../state/form-state.js';

/** True if a field that may not be read (`writeOnly`, `x-secret`, the widget `password`) has a value. */
export function holdsSecret(state: FormState): boolean {
  const { rows } = rowsOf(withFilter(state, 'is:filled'));
  return rows.some(({ editor, filled }) => filled && editor.kind === 'text' && editor.secret);
}
