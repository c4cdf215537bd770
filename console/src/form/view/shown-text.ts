import { isList, labelOf, type Row } from '../model/index.js';
import type { Labels } from './labels.js';

/** Browsers freeze when they lay out longer texts on one line. */
const LONG = 2000;

/** Returns the start of a text that is too long to show. */
export function brief(text: string): string {
  return text.length > LONG ? `${text.slice(0, LONG)} …` : text;
}

/** Returns the value of a row as one line of text; secrets are not shown. */
export function shownText({ editor, value, text }: Row, labels: Labels): string {
  if (editor.kind === 'text' && editor.secret) return labels.hidden;
  return isList(value) ? value.map(labelOf).join(', ') : text;
}
