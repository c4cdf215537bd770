import type { Editor, Row } from '../model/index.js';

/**
 * How a person edits a row: `switch` needs one key press, `choose` selects an alternative, `line` is edited
 * in the row, `panel` needs more space than a row has, `json` opens the row as JSON text.
 */
export type EditMode = 'switch' | 'choose' | 'line' | 'panel' | 'json' | 'none';

const WAYS: Readonly<Partial<Record<Editor['kind'], EditMode>>> = {
  none: 'none',
  json: 'json',
  checkbox: 'switch',
  empty: 'switch',
  constant: 'switch',
  bits: 'panel',
  checkboxes: 'panel',
  file: 'panel',
};

/** Longer texts are not edited in a line. */
const LONG = 20_000;

/** Returns how a row is edited, regardless of permissions. */
export function wayToEdit({ alternatives, kind, editor, text }: Row): EditMode {
  if (alternatives !== undefined) return 'choose';
  if (kind === 'presence') return 'switch';
  if (WAYS[editor.kind] === undefined && text.length > LONG) return 'json';
  const isTall = (editor.kind === 'text' && editor.multiline) || (editor.kind === 'select' && editor.radio);
  return isTall ? 'panel' : (WAYS[editor.kind] ?? 'line');
}

/** Returns true for a row without its required value. */
export function isMissing(row: Row): boolean {
  return row.required && !row.filled && (row.kind === 'leaf' || row.kind === 'json');
}
