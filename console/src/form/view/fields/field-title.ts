import { textOf } from '../../../text/text.js';
import type { Row } from '../../model/index.js';

const formText = textOf('form');

/** Returns the title of a row as an ordinary form shows it: entries without brackets. */
export function titleOf(row: Row): string {
  if (row.isPossible) return formText('newEntry');
  if (row.title === '' && row.alternatives) return formText('alternatives');
  return row.kind === 'entry' ? row.title.replace(/^\[(.*)\]$/, '$1') : row.title;
}
