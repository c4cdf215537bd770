import type { ReactNode } from 'react';
import type { Row } from '../../model/index.js';
import { useChangeNote } from '../change-notes.js';
import { RowEditor, SwitchEditor } from '../editors/editor.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { editModeOf, mayEdit } from '../row-actions.js';
import { brief, shownText } from '../shown-text.js';
import { FieldActions, FieldErrors, FieldNotes, hasNotes, TextAction, titleOf } from './field-parts.js';

export interface FieldProps {
  readonly row: Row;
  /** Index among the visible rows. */
  readonly index: number;
  readonly id: string;
}

/** A labeled field: label, control, errors, help. */
export function Field({ row, index, id }: FieldProps): ReactNode {
  const controller = useFormController();
  const canEdit = mayEdit(row, controller);
  const mode = editModeOf(row);
  const isSwitch = mode === 'switch';
  const notesId = useNotesId(row, id);
  return (
    <div id={id} data-row={index} className={classOf(row, mode)} tabIndex={-1}>
      <div className="gf-field-head">
        {isSwitch && (
          <SwitchEditor
            row={row}
            id={`${id}-editor`}
            isGrid={false}
            isNamed={false}
            isDisabled={!canEdit}
            notesId={notesId}
          />
        )}
        <FieldLabel row={row} id={id} hasControl={isSwitch || (canEdit && mode !== 'json')} />
        <FieldActions row={row} />
      </div>
      {!isSwitch && <FieldControl row={row} id={id} notesId={notesId} />}
      {row.nullable && canEdit && <NullBox row={row} />}
      <TextAction row={row} name="pick" />
      {(isSwitch || mode === 'json') && <FieldErrors row={row} id={`${id}-errors`} />}
      <FieldNotes row={row} id={`${id}-notes`} />
    </div>
  );
}

function classOf({ changed, editor, isDefault }: Row, mode: ReturnType<typeof editModeOf>): string {
  const isWide = mode === 'panel' && (editor.kind === 'text' || editor.kind === 'signature');
  const names = [changed && 'gf-changed', isWide && 'gf-wide-field', isDefault && 'gf-default'];
  return ['gf-field', ...names].filter(Boolean).join(' ');
}

/** A checkbox that sets a value to null, which no text can say. */
function NullBox({ row: { pointer, title, value } }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const isNull = value === null;
  return (
    <label className="gf-choice">
      <input
        type="checkbox"
        aria-label={`${formText('nullValue')}: ${title}`}
        checked={isNull}
        onChange={() =>
          controller.edit(isNull ? { kind: 'clear', pointer } : { kind: 'set', pointer, value: null })
        }
      />
      {formText('nullValue')}
    </label>
  );
}

/** Returns the ids of the notes of a field, for `aria-describedby`; undefined without notes. */
function useNotesId(row: Row, id: string): string | undefined {
  const change = useChangeNote(row) === undefined ? [] : [`${id}-change`];
  const notes = hasNotes(row) ? [`${id}-notes`] : [];
  return [...notes, ...change].join(' ') || undefined;
}

/** The label with marks for required and changed fields. */
function FieldLabel({
  row,
  id,
  hasControl,
}: {
  readonly row: Row;
  readonly id: string;
  readonly hasControl: boolean;
}): ReactNode {
  const title = titleOf(row);
  const isGroup = ['radio', 'checkboxes', 'bits'].includes(groupKind(row));
  const label = (
    <>
      <span dir="auto">{title}</span>
      {row.required && (
        <span className="gf-required">
          <span aria-hidden="true"> *</span>
          <span className="gf-heard"> {formText('required')}</span>
        </span>
      )}
    </>
  );
  return (
    <>
      {hasControl && !isGroup ? (
        <label htmlFor={`${id}-editor`} className="gf-label">
          {label}
        </label>
      ) : (
        <span className="gf-label">{label}</span>
      )}
      <FieldMarks row={row} id={`${id}-change`} />
    </>
  );
}

/** Marks of a field besides its label: changed, with its author if that is known, and deprecated. */
export function FieldMarks({ row, id }: { readonly row: Row; readonly id?: string }): ReactNode {
  const note = useChangeNote(row);
  return (
    <>
      {row.changed && (
        <span className="gf-mark gf-edited" id={id} dir="auto">
          {note ?? formText('edited')}
        </span>
      )}
      {row.deprecated && <span className="gf-mark gf-warning">{formText('deprecated')}</span>}
    </>
  );
}

function groupKind({ editor }: Row): string {
  return editor.kind === 'select' && editor.radio ? 'radio' : editor.kind;
}

function FieldControl({
  row,
  id,
  notesId,
}: {
  readonly row: Row;
  readonly id: string;
  readonly notesId: string | undefined;
}): ReactNode {
  const controller = useFormController();
  const mode = editModeOf(row);
  if (mode !== 'json' && mayEdit(row, controller))
    return <RowEditor row={row} id={`${id}-editor`} notesId={notesId} />;
  const text = row.filled ? brief(shownText(row)) : formText('notSet');
  return (
    <p className={`gf-output${row.filled ? '' : ' gf-quiet'}`} dir="auto">
      {text}
      {row.filled && row.units !== undefined && <span className="gf-quiet"> {row.units}</span>}
    </p>
  );
}
