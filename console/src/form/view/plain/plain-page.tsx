import { memo, type ReactNode, type RefObject, useId, useLayoutEffect, useState } from 'react';
import { type FormState, labelOf, type Row, rowsOf, withOpen } from '../../model/index.js';
import { type CursorPosition, useFormController } from '../form-controller.js';
import { RowEditor } from '../editors/editor.js';
import { SwitchEditor } from '../editors/switch-editor.js';
import { Icon } from '../icon.js';
import { actionsOf, mayEdit } from '../row-actions.js';
import { brief, shownText } from '../shown-text.js';
import { isMissing, editModeOf } from '../edit-mode.js';

/** Number of rows that are shown by default and that the button adds; more rows slow down the page. */
const ROWS_PER_STEP = 500;

interface PlainPageProps {
  readonly state: FormState;
  readonly cursor: CursorPosition | undefined;
  /** True until the row of the cursor has the focus. */
  readonly needsFocus: RefObject<boolean>;
}

/** The form as an ordinary page: headings and labeled fields for all rows. */
export function PlainFormPage({ state, cursor, needsFocus }: PlainPageProps): ReactNode {
  const { labels } = useFormController();
  const id = useId();
  const { rows, indexOf } = rowsOf(state);
  const [limit, setLimit] = useState(ROWS_PER_STEP);
  const index = cursor ? indexOf(cursor.id) : -1;
  const isBeyond = index >= limit;

  useLayoutEffect(() => {
    if (!needsFocus.current || index < 0) return;
    if (isBeyond) {
      setLimit(Math.ceil((index + 1) / ROWS_PER_STEP) * ROWS_PER_STEP);
      return;
    }
    needsFocus.current = false;
    const row = document.getElementById(`${id}-${index}`);
    const control = row?.querySelector<HTMLElement>('input, select, textarea, button') ?? row;
    control?.focus();
  });
  return (
    <div className="gf-plain">
      {rows.slice(0, limit).map((row, at) => (
        <PlainFormRow key={row.id} row={row} id={`${id}-${at}`} />
      ))}
      {rows.length > limit && (
        <button type="button" className="gf-button" onClick={() => setLimit(limit + ROWS_PER_STEP)}>
          {labels.showMore(Math.min(ROWS_PER_STEP, rows.length - limit))}
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
const PlainFormRow = memo(function PlainFormRow({ row, id }: PlainRowProps): ReactNode {
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
  return row.expandable || editModeOf(row) === 'none';
}

function PlainHeading({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
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
          onClick={() => controller.change(withOpen(controller.now(), row.id, !row.open))}
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
  const controller = useFormController();
  const isControl = mayEdit(row, controller) && editModeOf(row) !== 'json' && editModeOf(row) !== 'choose';
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
  const { labels } = useFormController();
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
  const controller = useFormController();
  const mode = editModeOf(row);
  const canEdit = mayEdit(row, controller);
  if (mode === 'switch')
    return (
      <SwitchEditor
        row={row}
        id={`${id}-editor`}
        isGrid={false}
        isNamed={isSection(row)}
        isDisabled={!canEdit}
      />
    );
  if (mode === 'none') return null;
  if (canEdit && mode !== 'json') return <RowEditor row={row} id={`${id}-editor`} />;
  const { alternatives } = row;
  if (alternatives)
    return (
      <p className="gf-output">{alternatives.names[alternatives.chosen ?? -1] ?? controller.labels.notSet}</p>
    );
  return (
    <p className="gf-output">
      {row.filled ? brief(shownText(row, controller.labels)) : controller.labels.notSet}
    </p>
  );
}

function PlainNotes({ row, id }: PlainRowProps): ReactNode {
  const { labels } = useFormController();
  const condition = row.disabled ? row.when.find(({ holds }) => holds === false) : undefined;
  // These editors show their errors themselves.
  const isShownByEditor =
    editModeOf(row) === 'line' || editModeOf(row) === 'panel' || editModeOf(row) === 'choose';
  return (
    <div id={`${id}-notes`} className="gf-notes">
      {!isShownByEditor &&
        row.errors.map(({ message }) => (
          <p key={message} className="gf-error">
            <Icon name="error" /> {message}
          </p>
        ))}
      {condition && (
        <p className="gf-warning">{brief(labels.onlyWhen(condition.message ?? condition.xpath))}</p>
      )}
      {row.defaultValue !== undefined && !row.filled && editModeOf(row) !== 'switch' && (
        <p>{brief(labels.defaultOf(labelOf(row.defaultValue)))}</p>
      )}
      {row.description !== undefined && <p className="gf-description">{row.description}</p>}
      {row.help !== undefined && <p className="gf-description">{row.help}</p>}
    </div>
  );
}

function PlainActions({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  return (
    <span className="gf-actions">
      {actionsOf(row, controller).map(({ name, icon, label, run }) => (
        <button
          key={name}
          type="button"
          className="gf-tool"
          title={label}
          aria-label={`${label}: ${row.title}`}
          onClick={() => run(controller)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </span>
  );
}
