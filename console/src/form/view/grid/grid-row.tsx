import { type CSSProperties, memo, type MouseEvent, type ReactNode } from 'react';
import type { Row } from '../../model/index.js';
import { useChangeNote } from '../change-notes.js';
import { Icon, IconButton } from '../controls.js';
import type { LeaveTarget } from '../editors/draft.js';
import { RowEditor, SwitchEditor } from '../editors/editor.js';
import { type CursorPosition, type FormController, useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import {
  actionsOf,
  editModeOf,
  iconOf,
  mayEdit,
  openRow,
  type ActionName,
  type RowAction,
} from '../row-actions.js';
import { StateView, ValueView } from './cell-content.js';

interface GridRowProps {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  /** Prefix of the ids in the row. */
  readonly id: string;
  /** The cursor, if it is in this row. */
  readonly cursor: CursorPosition | undefined;
  /** True in the lower half of the grid, where panels open upwards. */
  readonly isLow: boolean;
  /** Called with the row id when the editor closes. The same function in all renderings. */
  readonly onLeave: (id: string, how: LeaveTarget) => void;
}

/** Actions that every row shows; the current row shows all actions. */
const QUICK_ACTIONS: ReadonlySet<ActionName> = new Set(['add', 'revert', 'remove']);

/** Elements of a row that can get the focus, besides its buttons. */
const FOCUS_STOPS: Readonly<Record<string, number>> = { row: 0, rowheader: 1, gridcell: 2 };

function shownActions(row: Row, controller: FormController, isCurrent: boolean): readonly RowAction[] {
  const actions = actionsOf(row, controller);
  return isCurrent ? actions : actions.filter(({ name }) => QUICK_ACTIONS.has(name));
}

/** One row of the grid: name, value, state, buttons. */
export const GridRow = memo(function GridRow(props: GridRowProps): ReactNode {
  const { row, index, top, id, cursor } = props;
  const controller = useFormController();
  const note = useChangeNote(row);
  const isDescribed = row.errors.length > 0 || note !== undefined;
  const editing = cursor?.editing !== undefined;
  return (
    <div
      role="row"
      id={id}
      className={classes(row, editing)}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={cursor?.stop === 0 && !editing ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      {...(row.expandable && { 'aria-expanded': row.open })}
      {...(props.isLow && { 'data-low': true })}
      {...(row.disabled && { 'aria-disabled': true })}
      {...(isDescribed && { 'aria-describedby': `${id}-state` })}
      onFocus={(event) => {
        const stop = FOCUS_STOPS[event.target.getAttribute('role') ?? ''];
        if (cursor === undefined && stop !== undefined) controller.goTo({ id: row.id, stop });
      }}
      onMouseDown={(event) => {
        if (event.target instanceof Element && event.target.closest('.gf-value, button, [data-toggle]'))
          return;
        event.preventDefault();
        controller.goTo({ id: row.id, stop: 0 });
      }}
    >
      <NameCell {...props} />
      <ValueCell {...props} />
      <div role="gridcell" className="gf-state-cell">
        <StateView row={row} id={`${id}-state`} />
      </div>
      <ActionsCell {...props} />
    </div>
  );
});

function classes(row: Row, editing: boolean): string {
  return [
    'gf-row',
    row.disabled && 'gf-off',
    row.changed && 'gf-changed',
    editing && 'gf-editing',
    row.hit && 'gf-hit',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Indents a name by its level. The style sheet says by how much. */
function indentOf({ level }: Row): CSSProperties {
  return { '--gf-indent': Math.min(level, 12) - 1 } as CSSProperties;
}

function NameCell({ row, cursor }: GridRowProps): ReactNode {
  const controller = useFormController();
  return (
    <div role="rowheader" className="gf-name" tabIndex={cursor?.stop === 1 ? 0 : -1} style={indentOf(row)}>
      {row.expandable ? (
        <span
          className="gf-twisty"
          data-toggle={row.open ? 'open' : 'closed'}
          aria-hidden="true"
          onClick={() => openRow(controller, row, !row.open)}
        >
          <Icon name="open" />
        </span>
      ) : (
        <span className="gf-twisty" />
      )}
      <span className="gf-clip" title={row.title} dir="auto">
        {row.isPossible ? formText('newEntry') : row.title}
        {row.required && (
          <span className="gf-required">
            <span aria-hidden="true"> *</span>
            <span className="gf-heard"> {formText('required')}</span>
          </span>
        )}
      </span>
      <span className="gf-type">{row.type}</span>
    </div>
  );
}

function ValueCell(props: GridRowProps): ReactNode {
  const { row, id, cursor } = props;
  const controller = useFormController();
  const canEdit = mayEdit(row, controller);
  const mode = editModeOf(row);
  const editing = cursor?.editing;
  const isSwitch = mode === 'switch';
  const press = (event: MouseEvent) => {
    if (editing || (!isSwitch && (event.target as Element).closest('input, select, textarea'))) return;
    if (canEdit && (mode === 'line' || mode === 'panel' || mode === 'choose'))
      controller.goTo({ id: row.id, stop: 2, editing: {} });
    else controller.goTo({ id: row.id, stop: 2 });
  };
  return (
    <div
      role="gridcell"
      className={`gf-value${canEdit && mode !== 'none' ? ' gf-open' : ''}`}
      tabIndex={cursor?.stop === 2 && !editing ? 0 : -1}
      {...(mode !== 'none' &&
        !editing && {
          'aria-readonly': !canEdit,
          'aria-required': row.required,
          'aria-invalid': row.errors.length > 0,
        })}
      {...(row.errors.length > 0 && { 'aria-describedby': `${id}-state` })}
      onClick={press}
    >
      {editing ? (
        <RowEditor
          row={row}
          id={`${id}-editor`}
          initialText={editing.initialText}
          onLeave={(how) => props.onLeave(row.id, how)}
        />
      ) : isSwitch ? (
        <SwitchEditor row={row} id={`${id}-switch`} isGrid isNamed isDisabled={!canEdit} />
      ) : (
        <ValueView row={row} />
      )}
    </div>
  );
}

function ActionsCell({ row, cursor }: GridRowProps): ReactNode {
  const controller = useFormController();
  return (
    <div role="gridcell" className="gf-actions">
      {shownActions(row, controller, cursor !== undefined).map((action, index) => (
        <IconButton
          key={action.name}
          icon={iconOf(action)}
          data-action={action.name}
          tabIndex={cursor?.stop === index + 3 ? 0 : -1}
          title={action.label}
          label={`${action.label}: ${row.title}`}
          onClick={() => action.run(controller)}
        />
      ))}
    </div>
  );
}
