import type { Editor, Row } from '../model/index.js';

/**
 * How the user edits a row. `switch` toggles with one key press, `choose` selects an alternative, `line` edits
 * in the row, `panel` needs more space than a row has, and `json` opens the row as JSON.
 */
type EditMode = 'switch' | 'choose' | 'line' | 'panel' | 'json' | 'none';

const EDIT_MODES: Readonly<Partial<Record<Editor['kind'], EditMode>>> = {
  none: 'none',
  json: 'json',
  checkbox: 'switch',
  empty: 'switch',
  constant: 'switch',
  bits: 'panel',
  checkboxes: 'panel',
  file: 'panel',
  signature: 'panel',
};

/** Maximum length of a text that is edited in the row; longer texts are edited as JSON. */
const MAX_LINE_LENGTH = 20_000;

/** Returns the edit mode of a row, regardless of permissions. */
export function editModeOf({ alternatives, kind, editor, text }: Row): EditMode {
  if (alternatives !== undefined) return 'choose';
  if (kind === 'presence') return 'switch';
  if (EDIT_MODES[editor.kind] === undefined && text.length > MAX_LINE_LENGTH) return 'json';
  const isTall = (editor.kind === 'text' && editor.multiline) || (editor.kind === 'select' && editor.radio);
  return isTall ? 'panel' : (EDIT_MODES[editor.kind] ?? 'line');
}

/** Returns true for a leaf that is required and has no value. */
export function isMissing(row: Row): boolean {
  return row.required && !row.filled && (row.kind === 'leaf' || row.kind === 'json');
}
