import { withFilter } from '../rows/open.js';
import { rowsOf } from '../rows/rows-of.js';
import type { FormState } from '../state/form-state.js';

/** True when something stands in a field that nobody may read (`writeOnly`, `x-secret`, the widget `password`). */
export function holdsSecret(state: FormState): boolean {
  const { rows } = rowsOf(withFilter(state, 'is:filled'));
  return rows.some(({ editor, filled }) => filled && editor.kind === 'text' && editor.secret);
}
