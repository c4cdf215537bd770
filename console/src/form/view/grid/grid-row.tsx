import { memo, type MouseEvent, type ReactNode } from 'react';
import type { Row } from '../../model/index.js';
import { type FormController, type CursorPosition, useDesk } from '../form-controller.js';
import type { Leave } from '../editors/draft.js';
import { RowEditor } from '../editors/editor.js';
import { SwitchEditor } from '../editors/switch-editor.js';
import { Icon } from '../icon.js';
import { actionsOf, mayEdit, openRow, type RowAction } from '../row-actions.js';
import { wayToEdit } from '../edit-mode.js';
import { StateView, ValueView } from './cell-content.js';

export interface GridRowProps {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  /** Prefix of the ids in the row. */
  readonly id: string;
  /** The person's position, if it is in this row. */
  readonly place: CursorPosition | undefined;
  /** True near the lower edge, because there is more space above. */
  readonly isLow: boolean;
  /**
   * Closes the editor of a row (by its id). The function stays the same, so that only changed rows are
   * rendered again.
   */
  readonly onLeave: (id: string, how: Leave) => void;
}

/** Actions that every row shows; the current row shows all actions. */
const QUICK: ReadonlySet<RowAction['name']> = new Set(['add', 'revert', 'remove']);

/** Elements of a row that can get the focus, besides its buttons. */
const STOPS: Readonly<Record<string, number>> = { row: 0, rowheader: 1, gridcell: 2 };

/** Returns the buttons of a row. */
function shownActions(row: Row, desk: FormController, isHere: boolean): readonly RowAction[] {
  const actions = actionsOf(row, desk);
  return isHere ? actions : actions.filter(({ name }) => QUICK.has(name));
}

/** One row of the grid: name, value, state, buttons. */
export const GridRow = memo(function GridRow(props: GridRowProps): ReactNode {
  const { row, index, top, id, place } = props;
  const desk = useDesk();
  const hasErrors = row.errors.length > 0;
  const editing = place?.editing !== undefined;
  return (
    <div
      role="row"
      id={id}
      className={classes(row, editing)}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={place?.stop === 0 && !editing ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      {...(row.expandable && { 'aria-expanded': row.open })}
      {...(props.isLow && { 'data-low': true })}
      {...(row.disabled && { 'aria-disabled': true })}
      {...(hasErrors && { 'aria-describedby': `${id}-state` })}
      onFocus={(event) => {
        const stop = STOPS[event.target.getAttribute('role') ?? ''];
        if (place === undefined && stop !== undefined) desk.goTo({ id: row.id, stop });
      }}
      onMouseDown={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest('.gf-value, button, [data-toggle]'))
          return;
        event.preventDefault();
        desk.goTo({ id: row.id, stop: 0 });
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

function NameCell({ row, place }: GridRowProps): ReactNode {
  const desk = useDesk();
  return (
    <div
      role="rowheader"
      className="gf-name"
      tabIndex={place?.stop === 1 ? 0 : -1}
      style={{ paddingInlineStart: `${(Math.min(row.level, 12) - 1) * 0.9}rem` }}
    >
      {row.expandable ? (
        <span
          className="gf-twisty"
          data-toggle={row.open ? 'open' : 'closed'}
          aria-hidden="true"
          onClick={() => openRow(desk, row, !row.open)}
        >
          <Icon name="open" />
        </span>
      ) : (
        <span className="gf-twisty" />
      )}
      <span className="gf-clip" title={row.title}>
        {row.title}
        {row.required && (
          <span className="gf-required">
            <span aria-hidden="true"> *</span>
            <span className="gf-heard"> {desk.labels.required}</span>
          </span>
        )}
      </span>
      <span className="gf-type">{row.type}</span>
    </div>
  );
}

function ValueCell(props: GridRowProps): ReactNode {
  const { row, id, place } = props;
  const desk = useDesk();
  const canEdit = mayEdit(row, desk);
  const way = wayToEdit(row);
  const editing = place?.editing;
  const isSwitch = way === 'switch';
  const press = (event: MouseEvent) => {
    if (editing || (!isSwitch && (event.target as Element).closest('input, select, textarea'))) return;
    if (canEdit && (way === 'line' || way === 'panel' || way === 'choose'))
      desk.goTo({ id: row.id, stop: 2, editing: {} });
    else desk.goTo({ id: row.id, stop: 2 });
  };
  return (
    <div
      role="gridcell"
      className={`gf-value${canEdit && way !== 'none' ? ' gf-open' : ''}`}
      tabIndex={place?.stop === 2 && !editing ? 0 : -1}
      {...(way !== 'none' &&
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
          seed={editing.seed}
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

function ActionsCell({ row, place }: GridRowProps): ReactNode {
  const desk = useDesk();
  return (
    <div role="gridcell" className="gf-actions">
      {shownActions(row, desk, place !== undefined).map(({ name, icon, label, run }, index) => (
        <button
          key={name}
          type="button"
          className="gf-tool"
          tabIndex={place?.stop === index + 3 ? 0 : -1}
          title={label}
          aria-label={`${label}: ${row.title}`}
          onClick={() => run(desk)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
