import { type Row, rowAt, rowsOf } from '../../model/index.js';
import { switchEdit } from '../editors/editor.js';
import type { FormController } from '../form-controller.js';
import { editModeOf, mayEdit, openRow, runAction } from '../row-actions.js';
import { type GridCommand, VALUE_STOP } from './grid-keys.js';

interface GridContext {
  readonly controller: FormController;
  readonly row: Row;
  readonly index: number;
  /** Number of rows on a screen. */
  readonly page: number;
  readonly stop: number;
  readonly target: EventTarget;
}

/** Runs the command of a key. Returns false if the key must keep its default behavior. */
export function runCommand(command: GridCommand, context: GridContext): boolean {
  const { controller, row } = context;
  switch (command.kind) {
    case 'row':
      goToRow(command.to, context);
      return true;
    case 'stop':
      controller.goTo({ id: row.id, stop: command.to });
      return true;
    case 'open':
      openRow(controller, row, command.open);
      return true;
    case 'edit':
      return startEdit(command.initialText, context);
    case 'press':
      return press(context);
    default:
      return change(command.kind, context);
  }
}

function goToRow(
  to: Extract<GridCommand, { kind: 'row' }>['to'],
  { controller, row, index, page, stop }: GridContext,
): void {
  const { rows, indexOf } = rowsOf(controller.now());
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
  if (next) controller.goTo({ id: next.id, stop });
}

/** Starts editing: Enter, F2, or a letter in the cell of the value. */
function startEdit(initialText: string | undefined, { controller, row, stop }: GridContext): boolean {
  const mode = editModeOf(row);
  const isTyped = initialText !== undefined;
  if (!mayEdit(row, controller) || mode === 'none') return !isTyped && toggle(controller, row);
  if (mode === 'switch') return !isTyped && switchRow(controller, row);
  if (mode === 'json') {
    if (!isTyped) controller.showDialog({ kind: 'json', id: row.id });
    return !isTyped;
  }
  const takesText = mode === 'line' && row.editor.kind !== 'select';
  controller.goTo({
    id: row.id,
    stop: Math.max(stop, VALUE_STOP),
    editing: isTyped && takesText ? { initialText } : {},
  });
  return true;
}

/** Handles Space, and Enter on a button. Returns false on a button, because the browser presses it itself. */
function press({ controller, row, stop, target }: GridContext): boolean {
  if (stop > VALUE_STOP || (target instanceof Element && target.closest('button, input'))) return false;
  return editModeOf(row) === 'switch' && mayEdit(row, controller)
    ? switchRow(controller, row)
    : toggle(controller, row);
}

function switchRow(controller: FormController, row: Row): boolean {
  controller.edit(switchEdit(row));
  return true;
}

function toggle(controller: FormController, row: Row): boolean {
  if (row.expandable) openRow(controller, row, !row.open);
  return row.expandable;
}

function change(
  kind: 'clear' | 'insert' | 'move up' | 'move down' | 'json',
  { controller, row }: GridContext,
): boolean {
  switch (kind) {
    case 'clear':
      runAction(row, row.removable ? 'remove' : 'clear', controller);
      return true;
    case 'insert':
      insert(controller, row);
      return true;
    case 'json':
      runAction(row, 'json', controller);
      return true;
    default:
      runAction(row, kind === 'move up' ? 'up' : 'down', controller);
      return true;
  }
}

/** Adds an entry to the list in this row, or to the list that contains this entry. */
function insert(controller: FormController, row: Row): void {
  const list = row.list ? row : row.parent === undefined ? undefined : rowAt(controller.now(), row.parent);
  if (list?.list) runAction(list, 'add', controller);
}

/** Moves to the next or previous row that can be edited, and edits it; stays at the row if there is none. */
export function editNext(controller: FormController, direction: 'next' | 'previous', from: string): void {
  const { rows, indexOf } = rowsOf(controller.now());
  const step = direction === 'next' ? 1 : -1;
  for (let index = indexOf(from) + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (!row || !mayEdit(row, controller)) continue;
    const mode = editModeOf(row);
    if (mode === 'none' || mode === 'json') continue;
    controller.goTo({ id: row.id, stop: VALUE_STOP, ...(mode !== 'switch' && { editing: {} }) });
    return;
  }
  controller.goTo({ id: from, stop: VALUE_STOP });
}
