import { applyEdit, type Edit, type Editor, type Row, rowAt, rowsOf, withOpen } from '../model/index.js';
import type { IconName } from './controls.js';
import type { FormController } from './form-controller.js';
import { formText } from './form-text.js';

export type ActionName =
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

/** An action of a row, shown as a button. */
export interface RowAction {
  readonly name: ActionName;
  readonly label: string;
  readonly run: (controller: FormController) => void;
}

/** An action, or false if the row does not have it. */
type Possible = RowAction | false | undefined;

/** Returns the actions of a row. Actions that change the row require edit permission. */
export function actionsOf(
  row: Row,
  controller: Pick<FormController, 'now' | 'canEdit' | 'picker'>,
): readonly RowAction[] {
  const changes = mayEdit(row, controller)
    ? [...editActions(row, controller), ...itemActions(row, controller)]
    : [];
  return [...changes, ...viewActions(row)].filter((action) => action !== undefined && action !== false);
}

export function iconOf({ name }: RowAction): IconName {
  if (name === 'member') return 'add';
  return name === 'pick' ? 'folder' : name;
}

export function mayEdit(row: Row, { canEdit }: Pick<FormController, 'canEdit'>): boolean {
  return canEdit && !row.readOnly && !row.disabled;
}

/** Runs an action of a row by its name, if it is available. */
export function runAction(row: Row, name: ActionName, controller: FormController): void {
  actionsOf(row, controller)
    .find((action) => action.name === name)
    ?.run(controller);
}

function editActions(row: Row, { picker }: Pick<FormController, 'picker'>): readonly Possible[] {
  const { id, title, kind } = row;
  return [
    row.list?.canAdd && {
      name: 'add',
      label: formText('addTo', { title }),
      run: (to) => to.withContent(row, () => addEntry(row, to)),
    },
    row.addable && {
      name: 'member',
      label: formText('addMember'),
      run: (to) => to.showDialog({ kind: 'member', id }),
    },
    picker?.isFor(row) && {
      name: 'pick',
      label: picker.title,
      run: (to) => to.showDialog({ kind: 'pick', id }),
    },
    row.changed && kind !== 'choice' && editAction(row, 'revert'),
    row.removable && editAction(row, 'remove'),
    !row.removable && row.filled && isValue(row) && editAction(row, 'clear'),
  ];
}

function itemActions(row: Row, { now }: Pick<FormController, 'now'>): readonly Possible[] {
  const list = row.parent === undefined ? undefined : rowAt(now(), row.parent)?.list;
  if (!list || row.isPossible) return [];
  const at = Number(row.key);
  return [
    list.canAdd && editAction(row, 'duplicate'),
    list.orderedByUser &&
      at > 0 && { name: 'up', label: formText('moveUp'), run: (to) => move(row, at - 1, to) },
    list.orderedByUser &&
      at < list.length - 1 && {
        name: 'down',
        label: formText('moveDown'),
        run: (to) => move(row, at + 1, to),
      },
  ];
}

function viewActions(row: Row): readonly Possible[] {
  const { id, kind } = row;
  return [
    kind === 'list' && {
      name: 'table',
      label: formText('table'),
      run: (to) => to.withContent(row, () => to.showDialog({ kind: 'table', id })),
    },
    kind !== 'choice' && {
      name: 'json',
      label: formText('editJson'),
      run: (to) => to.showDialog({ kind: 'json', id }),
    },
  ];
}

/**
 * Returns an action that applies an edit and keeps the cursor on the row, or at its index if it is removed.
 */
function editAction({ id, pointer }: Row, name: 'revert' | 'remove' | 'clear' | 'duplicate'): RowAction {
  const run = (controller: FormController): void => {
    const at = rowsOf(controller.now()).indexOf(id);
    controller.edit({ kind: name, pointer });
    const { rows, indexOf } = rowsOf(controller.now());
    const next = indexOf(id) >= 0 ? id : rows[Math.min(at, rows.length - 1)]?.id;
    if (next !== undefined) controller.goTo({ id: next, stop: 0 });
  };
  return { name, label: formText(name), run };
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

/**
 * How the user edits a row. `switch` toggles with one key press, `choose` selects an alternative, `line` edits
 * in the row, `panel` needs more space than a row has, and `json` opens the row as JSON.
 */
type EditMode = 'switch' | 'choose' | 'line' | 'panel' | 'json' | 'none';

const EDIT_MODES: Readonly<Partial<Record<Editor['kind'], EditMode>>> = {
  none: 'none',
  json: 'json',
  checkbox: 'switch',
  empty: 'switch',
  constant: 'switch',
  bits: 'panel',
  checkboxes: 'panel',
  file: 'panel',
  signature: 'panel',
};

/** Maximum length of a text that is edited in the row; longer texts are edited as JSON. */
const MAX_LINE_LENGTH = 20_000;

/** Returns the edit mode of a row, regardless of permissions. */
export function editModeOf({ alternatives, kind, editor, text }: Row): EditMode {
  if (alternatives !== undefined) return 'choose';
  if (kind === 'presence') return 'switch';
  if (EDIT_MODES[editor.kind] === undefined && text.length > MAX_LINE_LENGTH) return 'json';
  const isTall = (editor.kind === 'text' && editor.multiline) || (editor.kind === 'select' && editor.radio);
  return isTall ? 'panel' : (EDIT_MODES[editor.kind] ?? 'line');
}

/** Returns true for a leaf that is required and has no value. */
export function isMissing(row: Row): boolean {
  return row.required && !row.filled && isValue(row);
}

function isValue({ kind }: Row): boolean {
  return kind === 'leaf' || kind === 'json';
}
