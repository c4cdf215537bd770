import { checkAt, paste, rowAt, valueFromText } from '../model/index.js';
import type { FormController } from './form-controller.js';
import { mayEdit } from './row-actions.js';

/** Maximum number of problems in a message; further ones are similar. */
const SAID = 3;

/**
 * Pastes a text at a row: a value at a leaf, JSON or lines of path and value at any other row. Announces the
 * result.
 */
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
