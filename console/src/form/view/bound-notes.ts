import { listFormat } from '../../text/locale.js';
import { textOf } from '../../text/text.js';
import type { Row } from '../model/index.js';
import { isUnlisted } from './binding-loader.js';

const formText = textOf('form');

/** Returns what a person must know about the options of a bound field. */
export function boundNotes(row: Row): readonly string[] {
  if (row.bound?.state === 'missing')
    return [formText('optionsAfter', { fields: listFormat().format(row.bound.fields) })];
  return isUnlisted(row) ? [formText('valueUnlisted', { value: row.text })] : [];
}
