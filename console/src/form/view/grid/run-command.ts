import { type Row, rowAt, rowsOf } from '../../model/index.js';
import type { FormController } from '../form-controller.js';
import { switchEdit } from '../editors/switch-editor.js';
import { doAction, mayEdit, openRow } from '../row-actions.js';
import { wayToEdit } from '../edit-mode.js';
import { type GridCommand, VALUE_STOP } from './grid-keys.js';

export interface GridContext {
  readonly desk: FormController;
  readonly row: Row;
  readonly index: number;
  /** Number of rows on a screen. */
  readonly page: number;
  readonly stop: number;
  readonly target: EventTarget;
}

/** Runs the command of a key; false if it has no effect, so that the key keeps its default behavior. */
export function runCommand(command: GridCommand, at: GridContext): boolean {
  const { desk, row } = at;
  switch (command.kind) {
    case 'row':
      goToRow(command.to, at);
      return true;
    case 'stop':
      desk.goTo({ id: row.id, stop: command.to });
      return true;
    case 'open':
      openRow(desk, row, command.open);
      return true;
    case 'edit':
      return beginEdit(command.seed, at);
    case 'press':
      return press(at);
    default:
      return change(command.kind, at);
  }
}

function goToRow(
  to: Extract<GridCommand, { kind: 'row' }>['to'],
  { desk, row, index, page, stop }: GridContext,
): void {
  const { rows, indexOf } = rowsOf(desk.now());
  const last = rows.length - 1;
  const wanted = {
    previous: index - 1,
    next: index + 1,
    first: 0,
    last,
    'page up': index - page,
    'page down': index + page,
    parent: row.parent === undefined ? index : indexOf(row.parent),
  }[to];
  const next = rows[Math.max(0, Math.min(wanted, last))];
  if (next) desk.goTo({ id: next.id, stop });
}

/** Starts editing: Enter, F2, or a letter in the cell of the value. */
function beginEdit(seed: string | undefined, { desk, row, stop }: GridContext): boolean {
  const way = wayToEdit(row);
  const isTyped = seed !== undefined;
  if (!mayEdit(row, desk) || way === 'none') return !isTyped && toggle(desk, row);
  if (way === 'switch') return !isTyped && switchRow(desk, row);
  if (way === 'json') {
    if (!isTyped) desk.show({ kind: 'json', id: row.id });
    return !isTyped;
  }
  const takesText = way === 'line' && row.editor.kind !== 'select';
  desk.goTo({
    id: row.id,
    stop: Math.max(stop, VALUE_STOP),
    editing: isTyped && takesText ? { seed } : {},
  });
  return true;
}

/** Handles Space, and Enter on a button. Returns false on a button, because the browser presses it itself. */
function press({ desk, row, stop, target }: GridContext): boolean {
  if (stop > VALUE_STOP || (target instanceof HTMLElement && target.closest('button, input'))) return false;
  return wayToEdit(row) === 'switch' && mayEdit(row, desk) ? switchRow(desk, row) : toggle(desk, row);
}

function switchRow(desk: FormController, row: Row): boolean {
  desk.edit(switchEdit(row));
  return true;
}

function toggle(desk: FormController, row: Row): boolean {
  if (row.expandable) openRow(desk, row, !row.open);
  return row.expandable;
}

function change(
  kind: 'clear' | 'insert' | 'move up' | 'move down' | 'json',
  { desk, row }: GridContext,
): boolean {
  switch (kind) {
    case 'clear':
      doAction(row, row.removable ? 'remove' : 'clear', desk);
      return true;
    case 'insert':
      insert(desk, row);
      return true;
    case 'json':
      doAction(row, 'json', desk);
      return true;
    default:
      doAction(row, kind === 'move up' ? 'up' : 'down', desk);
      return true;
  }
}

/** Adds an entry to the list in this row, or to the list that contains this entry. */
function insert(desk: FormController, row: Row): void {
  const list = row.list ? row : row.parent === undefined ? undefined : rowAt(desk.now(), row.parent);
  if (list?.list) doAction(list, 'add', desk);
}

/** Edits the next row that is edited in a line; stays at the last one. */
export function editNext(desk: FormController, direction: 'next' | 'previous', from: string): void {
  const { rows, indexOf } = rowsOf(desk.now());
  const step = direction === 'next' ? 1 : -1;
  for (let at = indexOf(from) + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (!row || !mayEdit(row, desk)) continue;
    const way = wayToEdit(row);
    if (way === 'none' || way === 'json') continue;
    desk.goTo({ id: row.id, stop: VALUE_STOP, ...(way !== 'switch' && { editing: {} }) });
    return;
  }
  desk.goTo({ id: from, stop: VALUE_STOP });
}
