import { textOf } from '../../text/text.js';
import type { PasteProblem } from '../model/index.js';

const formText = textOf('form');

const TEXTS = {
  readOnly: 'pasteReadOnly',
  noField: 'pasteNoField',
  noValue: 'pasteNoValue',
  noJson: 'pasteNoJson',
  noList: 'pasteNoList',
  noObject: 'pasteNoObject',
  noCsv: 'pasteNoCsv',
  noColumn: 'pasteNoColumn',
} as const;

/** Returns why a part of a pasted or imported text was not applied, and its line. */
export function pasteProblemText({ line, reason, path }: PasteProblem): string {
  return formText('atLine', { line, problem: formText(TEXTS[reason], { path }) });
}
