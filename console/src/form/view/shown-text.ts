import { isList, labelOf, type Row } from '../model/index.js';
import type { Labels } from './labels.js';

/** Longer texts make a browser stand still when it lays them out on one line. */
const LONG = 2000;

/** The beginning of a text that is too long to be looked at. */
export function brief(text: string): string {
  return text.length > LONG ? `${text.slice(0, LONG)} …` : text;
}

/** The value of a row for reading, on one line; secrets are not read. */
export function shownText({ editor, value, text }: Row, labels: Labels): string {
  if (editor.kind === 'text' && editor.secret) return labels.hidden;
  return isList(value) ? value.map(labelOf).join(', ') : text;
}
