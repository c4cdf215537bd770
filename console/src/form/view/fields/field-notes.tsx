import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { type Json, labelOf, type Row } from '../../model/index.js';
import { boundNotes } from '../bound-notes.js';
import { editModeOf } from '../edit-mode.js';
import { errorTexts } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { Icon } from '../icon.js';
import { brief } from '../shown-text.js';

const formText = textOf('form');

interface NotesProps {
  readonly row: Row;
  readonly id: string;
}

/** Errors of a row whose editor does not show them. */
export function FieldErrors({ row, id }: NotesProps): ReactNode {
  const controller = useFormController();
  return (
    <div id={id}>
      {errorTexts(controller.now(), row.errors).map((message) => (
        <p key={message} className="gf-error gf-field-error" dir="auto">
          <Icon name="error" /> {message}
        </p>
      ))}
    </div>
  );
}

/** Returns true for a row with help below its control. */
export function hasNotes(row: Row): boolean {
  return notesOf(row).length > 0 || row.unknown;
}

/** Help below a control: condition, description, help, default. */
export function FieldNotes({ row, id }: NotesProps): ReactNode {
  if (!hasNotes(row)) return null;
  return (
    <div id={id} className="gf-notes">
      {notesOf(row).map((note) => (
        <p key={note} className="gf-description" dir="auto">
          {brief(note)}
        </p>
      ))}
      {row.unknown && <p className="gf-warning">{formText('unknown')}</p>}
    </div>
  );
}

function notesOf(row: Row): readonly string[] {
  const condition = row.disabled ? row.when.find(({ holds }) => holds === false) : undefined;
  const { description, help, defaultValue } = row;
  // Also beside a value: the field keeps its height when it is filled in.
  const needsDefault = defaultValue !== undefined && !isNothing(defaultValue) && editModeOf(row) !== 'switch';
  return [
    ...(condition ? [formText('onlyWhen', { condition: condition.message ?? condition.xpath })] : []),
    ...(description === undefined ? [] : [description]),
    ...(help === undefined ? [] : [help]),
    ...boundNotes(row),
    ...(row.calculated ? [formText('calculated')] : []),
    ...(row.list?.maximum === undefined ? [] : [formText('errorMaxItems', { limit: row.list.maximum })]),
    ...(needsDefault ? [formText('defaultOf', { value: labelOf(defaultValue) })] : []),
  ];
}

/** Returns true for a default that says no more than an empty field. */
function isNothing(value: Json): boolean {
  return value === null || value === '' || ['[]', '{}'].includes(labelOf(value));
}
