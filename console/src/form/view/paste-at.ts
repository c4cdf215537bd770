import { checkAt, paste, rowAt, valueFromText } from '../model/index.js';
import type { FormController } from './form-controller.js';
import { mayEdit } from './row-actions.js';

/** Problems that are said; the others are like them. */
const SAID = 3;

/** Puts a text onto a row: a value onto a leaf, JSON or lines of path and value onto all others. Says what came of it. */
export function pasteAt(desk: FormController, id: string, text: string): void {
  const row = rowAt(desk.now(), id);
  if (!row || !mayEdit(row, desk)) return;
  const { pointer } = row;
  if (row.kind === 'leaf' && !/[\n{["]/.test(text.trim())) {
    const value = valueFromText(desk.now(), pointer, text.trim());
    if (value !== undefined) desk.edit({ kind: 'set', pointer, value });
    desk.say(desk.labels.pasted(1));
    return;
  }
  const { state, applied, problems } = paste(desk.now(), pointer, text);
  desk.change(checkAt(state, pointer));
  const faults = problems.slice(0, SAID).map(({ line, message }) => `${desk.labels.line(line)}: ${message}`);
  const refused = faults.length > 0 ? ` ${desk.labels.pasteFaults}: ${faults.join('; ')}` : '';
  desk.say(`${desk.labels.pasted(applied)}.${refused}`);
}
