import { textOf } from '../../text/text.js';
import { applyEdit, type Edit, type Row, rowAt, rowsOf, withOpen } from '../model/index.js';
import type { FormController } from './form-controller.js';
import type { IconName } from './icon.js';

const formText = textOf('form');

/** An action of a row, shown as a button. */
export interface RowAction {
  readonly name:
    | 'add'
    | 'member'
    | 'pick'
    | 'revert'
    | 'remove'
    | 'clear'
    | 'duplicate'
    | 'up'
    | 'down'
    | 'table'
    | 'json';
  readonly icon: IconName;
  readonly label: string;
  readonly run: (controller: FormController) => void;
}

/** Returns the actions of a row. Actions that change the row require edit permission. */
export function actionsOf(
  row: Row,
  controller: Pick<FormController, 'now' | 'canEdit' | 'picker'>,
): readonly RowAction[] {
  const canChange = mayEdit(row, controller);
  return [...(canChange ? editActions(row, controller) : []), ...viewActions(row)];
}

/** Returns true if the value of a row may be edited. */
export function mayEdit(row: Row, { canEdit }: Pick<FormController, 'canEdit'>): boolean {
  return canEdit && !row.readOnly && !row.disabled;
}

/** Runs an action of a row by its name, if it is available. */
export function runAction(row: Row, name: RowAction['name'], controller: FormController): void {
  actionsOf(row, controller)
    .find((action) => action.name === name)
    ?.run(controller);
}

function editActions(row: Row, controller: Pick<FormController, 'now' | 'picker'>): readonly RowAction[] {
  const actions: RowAction[] = [];
  if (row.list?.canAdd === true)
    actions.push({
      name: 'add',
      icon: 'add',
      label: formText('addTo', { title: row.title }),
      run: (to) => to.withContent(row, () => addEntry(row, to)),
    });
  if (row.addable !== undefined)
    actions.push({
      name: 'member',
      icon: 'add',
      label: formText('addMember'),
      run: (to) => to.showDialog({ kind: 'member', id: row.id }),
    });
  if (controller.picker?.isFor(row))
    actions.push({
      name: 'pick',
      icon: 'folder',
      label: controller.picker.title,
      run: (to) => to.showDialog({ kind: 'pick', id: row.id }),
    });
  if (row.changed && row.kind !== 'choice')
    actions.push({
      name: 'revert',
      icon: 'revert',
      label: formText('revert'),
      run: editAction(row, 'revert'),
    });
  if (row.removable)
    actions.push({
      name: 'remove',
      icon: 'remove',
      label: formText('remove'),
      run: editAction(row, 'remove'),
    });
  else if (row.filled && (row.kind === 'leaf' || row.kind === 'json'))
    actions.push({ name: 'clear', icon: 'clear', label: formText('clear'), run: editAction(row, 'clear') });
  return [...actions, ...itemActions(row, controller)];
}

function itemActions(row: Row, { now }: Pick<FormController, 'now'>): readonly RowAction[] {
  const parent = row.parent === undefined ? undefined : rowAt(now(), row.parent);
  const { list } = parent ?? {};
  if (!list || row.isPossible) return [];
  const at = Number(row.key);
  const actions: RowAction[] = [];
  if (list.canAdd)
    actions.push({
      name: 'duplicate',
      icon: 'duplicate',
      label: formText('duplicate'),
      run: editAction(row, 'duplicate'),
    });
  if (list.orderedByUser && at > 0)
    actions.push({ name: 'up', icon: 'up', label: formText('moveUp'), run: (to) => move(row, at - 1, to) });
  if (list.orderedByUser && at < list.length - 1)
    actions.push({
      name: 'down',
      icon: 'down',
      label: formText('moveDown'),
      run: (to) => move(row, at + 1, to),
    });
  return actions;
}

function viewActions(row: Row): readonly RowAction[] {
  const actions: RowAction[] = [];
  if (row.kind === 'list')
    actions.push({
      name: 'table',
      icon: 'table',
      label: formText('table'),
      run: (to) => to.withContent(row, () => to.showDialog({ kind: 'table', id: row.id })),
    });
  if (row.kind !== 'choice')
    actions.push({
      name: 'json',
      icon: 'json',
      label: formText('editJson'),
      run: (to) => to.showDialog({ kind: 'json', id: row.id }),
    });
  return actions;
}

/**
 * Returns an action that applies an edit and keeps the cursor on the row, or at its index if it is removed.
 */
function editAction({ id, pointer }: Row, kind: 'revert' | 'remove' | 'clear' | 'duplicate') {
  return (controller: FormController): void => {
    const at = rowsOf(controller.now()).indexOf(id);
    controller.edit({ kind, pointer });
    const { rows, indexOf } = rowsOf(controller.now());
    const next = indexOf(id) >= 0 ? id : rows[Math.min(at, rows.length - 1)]?.id;
    if (next !== undefined) controller.goTo({ id: next, stop: 0 });
  };
}

function addEntry(row: Row, controller: FormController): void {
  const before = controller.now();
  const edit: Edit = { kind: 'add', pointer: row.pointer };
  if (applyEdit(before, edit) === before) return;
  controller.edit(edit);
  controller.goTo({ id: `${row.pointer}/${row.list?.length ?? 0}`, stop: 0 });
}

function move({ pointer }: Row, to: number, controller: FormController): void {
  controller.edit({ kind: 'move', pointer, to });
  controller.goTo({ id: pointer.replace(/[^/]*$/, String(to)), stop: 0 });
}

/** Opens or closes a row, and moves the cursor to the row. */
export function openRow(controller: FormController, row: Row, open: boolean): void {
  controller.change(withOpen(controller.now(), row.id, open));
  controller.goTo({ id: row.id, stop: 0 });
}
