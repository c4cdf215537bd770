import type { Editor, Row } from '../model/index.js';

/**
 * How a person changes a row: `switch` needs one press, `choose` picks one of the alternatives, `line` is written within
 * the row, `panel` needs more room than a row has, `json` opens the text of it.
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

/** Longer texts have no place in a line. */
const LONG = 20_000;

/** How a row is changed by whoever may change it. */
export function wayToEdit({ alternatives, kind, editor, text }: Row): EditMode {
  if (alternatives !== undefined) return 'choose';
  if (kind === 'presence') return 'switch';
  if (WAYS[editor.kind] === undefined && text.length > LONG) return 'json';
  const isTall = (editor.kind === 'text' && editor.multiline) || (editor.kind === 'select' && editor.radio);
  return isTall ? 'panel' : (WAYS[editor.kind] ?? 'line');
}

/** True for a row that lacks a value which has to be there. */
export function isMissing(row: Row): boolean {
  return row.required && !row.filled && (row.kind === 'leaf' || row.kind === 'json');
}
