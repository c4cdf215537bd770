import { textOf } from '../../text/text.js';
import { isList, labelOf, type Option, type Row } from '../model/index.js';
import { fileFactsText } from './file-facts.js';

const formText = textOf('form');

/** Maximum length of a text on one line; browsers freeze on longer lines. */
const MAX_SHOWN_LENGTH = 2000;

/** Returns the start of a text that is too long to show. */
export function brief(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)} …` : text;
}

/** Returns the value of a row as one line of text; secrets are not shown. */
export function shownText({ editor, value, text }: Row): string {
  if (editor.kind === 'text' && editor.secret) return formText('hidden');
  if (editor.kind === 'file' || editor.kind === 'signature') return fileFactsText(editor, text);
  if (value === null) return formText('nullValue');
  return isList(value) ? value.map(labelOf).join(', ') : text;
}

/** Returns the label of an option; words for true, false and null without a label of their own. */
export function optionLabel({ value, label }: Option): string {
  if (label !== labelOf(value)) return label;
  if (value === null) return formText('nullValue');
  return typeof value === 'boolean' ? formText(value ? 'yes' : 'no') : label;
}
