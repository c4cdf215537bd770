import { applyEdit, type Edit, type Row, rowAt, rowsOf, withOpen } from '../model/index.js';
import type { FormController } from './form-controller.js';
import type { IconName } from './icon.js';
import type { Labels } from './labels.js';

/** An action of a row that a button offers. */
export interface RowAction {
  readonly name:
    'add' | 'member' | 'revert' | 'remove' | 'clear' | 'duplicate' | 'up' | 'down' | 'table' | 'json';
  readonly icon: IconName;
  readonly label: string;
  readonly run: (desk: FormController) => void;
}

/** Returns the actions that a row offers now, for a person with edit permission. */
export function actionsOf(
  row: Row,
  desk: Pick<FormController, 'labels' | 'now' | 'canEdit'>,
): readonly RowAction[] {
  const canChange = mayEdit(row, desk);
  return [...(canChange ? changing(row, desk) : []), ...looking(row, desk.labels)];
}

/** Returns true if the value of a row may be edited. */
export function mayEdit(row: Row, { canEdit }: Pick<FormController, 'canEdit'>): boolean {
  return canEdit && !row.readOnly && !row.disabled;
}

/** Runs an action of a row by its name, if it is available. */
export function doAction(row: Row, name: RowAction['name'], desk: FormController): void {
  actionsOf(row, desk)
    .find((action) => action.name === name)
    ?.run(desk);
}

function changing(row: Row, desk: Pick<FormController, 'labels' | 'now'>): readonly RowAction[] {
  const { labels } = desk;
  const actions: RowAction[] = [];
  if (row.list?.canAdd === true)
    actions.push({
      name: 'add',
      icon: 'add',
      label: labels.addTo(row.title),
      run: (to) => addEntry(row, to),
    });
  if (row.addable !== undefined)
    actions.push({
      name: 'member',
      icon: 'add',
      label: labels.addMember,
      run: (to) => to.show({ kind: 'member', id: row.id }),
    });
  if (row.changed && row.kind !== 'choice')
    actions.push({ name: 'revert', icon: 'revert', label: labels.revert, run: doing(row, 'revert') });
  if (row.removable)
    actions.push({ name: 'remove', icon: 'remove', label: labels.remove, run: doing(row, 'remove') });
  else if (row.filled && (row.kind === 'leaf' || row.kind === 'json'))
    actions.push({ name: 'clear', icon: 'clear', label: labels.clear, run: doing(row, 'clear') });
  return [...actions, ...itemActions(row, desk)];
}

function itemActions(
  row: Row,
  { labels, now }: Pick<FormController, 'labels' | 'now'>,
): readonly RowAction[] {
  const parent = row.parent === undefined ? undefined : rowAt(now(), row.parent);
  const { list } = parent ?? {};
  if (!list) return [];
  const at = Number(row.key);
  const actions: RowAction[] = [];
  if (list.canAdd)
    actions.push({
      name: 'duplicate',
      icon: 'duplicate',
      label: labels.duplicate,
      run: doing(row, 'duplicate'),
    });
  if (list.orderedByUser && at > 0)
    actions.push({ name: 'up', icon: 'up', label: labels.moveUp, run: (to) => move(row, at - 1, to) });
  if (list.orderedByUser && at < list.length - 1)
    actions.push({ name: 'down', icon: 'down', label: labels.moveDown, run: (to) => move(row, at + 1, to) });
  return actions;
}

function looking(row: Row, labels: Labels): readonly RowAction[] {
  const actions: RowAction[] = [];
  if (row.kind === 'list')
    actions.push({
      name: 'table',
      icon: 'table',
      label: labels.table,
      run: (to) => to.show({ kind: 'table', id: row.id }),
    });
  if (row.kind !== 'choice')
    actions.push({
      name: 'json',
      icon: 'json',
      label: labels.editJson,
      run: (to) => to.show({ kind: 'json', id: row.id }),
    });
  return actions;
}

/** Returns an action that applies an edit and keeps the position. */
function doing({ id, pointer }: Row, kind: 'revert' | 'remove' | 'clear' | 'duplicate') {
  return (desk: FormController): void => {
    const at = rowsOf(desk.now()).indexOf(id);
    desk.edit({ kind, pointer });
    const { rows, indexOf } = rowsOf(desk.now());
    const next = indexOf(id) >= 0 ? id : rows[Math.min(at, rows.length - 1)]?.id;
    if (next !== undefined) desk.goTo({ id: next, stop: 0 });
  };
}

function addEntry(row: Row, desk: FormController): void {
  const before = desk.now();
  const edit: Edit = { kind: 'add', pointer: row.pointer };
  if (applyEdit(before, edit) === before) return;
  desk.edit(edit);
  desk.goTo({ id: `${row.pointer}/${row.list?.length ?? 0}`, stop: 0 });
}

function move({ pointer }: Row, to: number, desk: FormController): void {
  desk.edit({ kind: 'move', pointer, to });
  desk.goTo({ id: pointer.replace(/[^/]*$/, String(to)), stop: 0 });
}

/** Opens or closes a row, and keeps the position there. */
export function openRow(desk: FormController, row: Row, open: boolean): void {
  desk.change(withOpen(desk.now(), row.id, open));
  desk.goTo({ id: row.id, stop: 0 });
}
