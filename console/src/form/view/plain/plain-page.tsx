import { memo, type ReactNode, type RefObject, useId, useLayoutEffect, useState } from 'react';
import { type FormState, labelOf, type Row, rowsOf, withOpen } from '../../model/index.js';
import { type CursorPosition, useDesk } from '../form-controller.js';
import { RowEditor } from '../editors/editor.js';
import { SwitchEditor } from '../editors/switch-editor.js';
import { Icon } from '../icon.js';
import { actionsOf, mayEdit } from '../row-actions.js';
import { brief, shownText } from '../shown-text.js';
import { isMissing, wayToEdit } from '../edit-mode.js';

/** Number of rows at first, and per press of the button: more at once slow down the page. */
const STEP = 500;

export interface PlainPageProps {
  readonly state: FormState;
  readonly place: CursorPosition | undefined;
  /** True as long as the position still has to get the focus. */
  readonly wanted: RefObject<boolean>;
}

/** The form as an ordinary page: headings and labeled fields, with every row in the page. */
export function ReadOnlyPage({ state, place, wanted }: PlainPageProps): ReactNode {
  const { labels } = useDesk();
  const id = useId();
  const { rows, indexOf } = rowsOf(state);
  const [limit, setLimit] = useState(STEP);
  const index = place ? indexOf(place.id) : -1;
  const isBeyond = index >= limit;

  useLayoutEffect(() => {
    if (!wanted.current || index < 0) return;
    if (isBeyond) {
      setLimit(Math.ceil((index + 1) / STEP) * STEP);
      return;
    }
    wanted.current = false;
    const row = document.getElementById(`${id}-${index}`);
    const control = row?.querySelector<HTMLElement>('input, select, textarea, button') ?? row;
    control?.focus();
  });
  return (
    <div className="gf-plain">
      {rows.slice(0, limit).map((row, at) => (
        <ReadOnlyRow key={row.id} row={row} id={`${id}-${at}`} />
      ))}
      {rows.length > limit && (
        <button type="button" className="gf-button" onClick={() => setLimit(limit + STEP)}>
          {labels.showMore(Math.min(STEP, rows.length - limit))}
        </button>
      )}
    </div>
  );
}

interface PlainRowProps {
  readonly row: Row;
  readonly id: string;
}

/** A container as a heading, any other row as a labeled field. */
export const ReadOnlyRow = memo(function PlainRow({ row, id }: PlainRowProps): ReactNode {
  const isHeading = isSection(row);
  return (
    <div
      id={id}
      className={`gf-field${row.changed ? ' gf-changed' : ''}`}
      tabIndex={-1}
      style={{ marginInlineStart: `${(Math.min(row.level, 8) - 1) * 1}rem` }}
    >
      {isHeading ? <PlainHeading row={row} /> : <PlainLabel row={row} id={id} />}
      <PlainControl row={row} id={id} />
      <PlainNotes row={row} id={id} />
    </div>
  );
});

function isSection(row: Row): boolean {
  return row.expandable || wayToEdit(row) === 'none';
}

function PlainHeading({ row }: { readonly row: Row }): ReactNode {
  const desk = useDesk();
  return (
    <div className="gf-line">
      <div role="heading" aria-level={Math.min(row.level + 1, 6)} className="gf-heading">
        {row.title}
        <RowMarkers row={row} />
      </div>
      {row.expandable && (
        <button
          type="button"
          className="gf-tool"
          aria-expanded={row.open}
          aria-label={row.title}
          onClick={() => desk.change(withOpen(desk.now(), row.id, !row.open))}
        >
          <span className="gf-twisty" data-toggle={row.open ? 'open' : 'closed'}>
            <Icon name="open" />
          </span>
        </button>
      )}
      <PlainActions row={row} />
    </div>
  );
}

function PlainLabel({ row, id }: PlainRowProps): ReactNode {
  const desk = useDesk();
  const isControl = mayEdit(row, desk) && wayToEdit(row) !== 'json' && wayToEdit(row) !== 'choose';
  const text = (
    <>
      {row.title}
      <RowMarkers row={row} />
    </>
  );
  return (
    <div className="gf-line">
      {isControl ? (
        <label htmlFor={`${id}-editor`} className="gf-heading">
          {text}
        </label>
      ) : (
        <span className="gf-heading">{text}</span>
      )}
      <PlainActions row={row} />
    </div>
  );
}

function RowMarkers({ row }: { readonly row: Row }): ReactNode {
  const { labels } = useDesk();
  const words = [
    row.required && labels.required,
    row.changed && labels.edited,
    isMissing(row) && labels.missing,
    row.readOnly && labels.readOnly,
    row.deprecated && labels.deprecated,
  ].filter((word) => word !== false);
  return (
    <>
      <span className="gf-type"> {row.type}</span>
      {words.length > 0 && <span className="gf-marks"> {words.join(', ')}</span>}
    </>
  );
}

function PlainControl({ row, id }: PlainRowProps): ReactNode {
  const desk = useDesk();
  const way = wayToEdit(row);
  const canEdit = mayEdit(row, desk);
  if (way === 'switch')
    return (
      <SwitchEditor
        row={row}
        id={`${id}-editor`}
        isGrid={false}
        isNamed={isSection(row)}
        isDisabled={!canEdit}
      />
    );
  if (way === 'none') return null;
  if (canEdit && way !== 'json') return <RowEditor row={row} id={`${id}-editor`} />;
  const { alternatives } = row;
  if (alternatives)
    return <p className="gf-output">{alternatives.names[alternatives.chosen ?? -1] ?? desk.labels.notSet}</p>;
  return <p className="gf-output">{row.filled ? brief(shownText(row, desk.labels)) : desk.labels.notSet}</p>;
}

function PlainNotes({ row, id }: PlainRowProps): ReactNode {
  const { labels } = useDesk();
  const condition = row.disabled ? row.when.find(({ holds }) => holds === false) : undefined;
  // These editors show their errors themselves.
  const isTold = wayToEdit(row) === 'line' || wayToEdit(row) === 'panel' || wayToEdit(row) === 'choose';
  return (
    <div id={`${id}-notes`} className="gf-notes">
      {!isTold &&
        row.errors.map(({ message }) => (
          <p key={message} className="gf-error">
            <Icon name="error" /> {message}
          </p>
        ))}
      {condition && (
        <p className="gf-warning">{brief(labels.onlyWhen(condition.message ?? condition.xpath))}</p>
      )}
      {row.defaultValue !== undefined && !row.filled && wayToEdit(row) !== 'switch' && (
        <p>{brief(labels.defaultOf(labelOf(row.defaultValue)))}</p>
      )}
      {row.description !== undefined && <p className="gf-description">{row.description}</p>}
      {row.help !== undefined && <p className="gf-description">{row.help}</p>}
    </div>
  );
}

function PlainActions({ row }: { readonly row: Row }): ReactNode {
  const desk = useDesk();
  return (
    <span className="gf-actions">
      {actionsOf(row, desk).map(({ name, icon, label, run }) => (
        <button
          key={name}
          type="button"
          className="gf-tool"
          title={label}
          aria-label={`${label}: ${row.title}`}
          onClick={() => run(desk)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </span>
  );
}
