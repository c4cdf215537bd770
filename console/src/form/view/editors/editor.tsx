import type { ReactNode } from 'react';
import { type Edit, labelOf, type Row } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { editModeOf } from '../row-actions.js';
import { brief, optionLabel } from '../shown-text.js';
import { ComboboxEditor } from './combobox.js';
import type { EditorProps } from './draft.js';
import { FileEditor, SignatureEditor } from './file-editor.js';
import { AlternativesEditor, CheckSetEditor, RadioEditor, SelectEditor } from './option-editors.js';
import { LinesEditor, TextEditor } from './text-editor.js';
import { DateEditor, fitsPicker, ZonedTimeEditor } from './time-editor.js';

/** The control that edits a row; nothing for rows that are switched or opened as JSON. */
export function RowEditor(props: EditorProps): ReactNode {
  const { row } = props;
  const mode = editModeOf(row);
  if (mode === 'choose') return <AlternativesEditor {...props} />;
  if (mode !== 'line' && mode !== 'panel') return null;
  switch (row.editor.kind) {
    case 'select':
      return row.editor.radio ? <RadioEditor {...props} /> : <SelectEditor {...props} />;
    case 'combobox':
      return <ComboboxEditor {...props} />;
    case 'bits':
    case 'checkboxes':
      return <CheckSetEditor {...props} />;
    case 'file':
      return <FileEditor {...props} />;
    case 'signature':
      return <SignatureEditor {...props} />;
    default:
      return <TimeOrText {...props} />;
  }
}

/** A picker for times in the view of fields; a text in the grid, and for all other values. */
function TimeOrText(props: EditorProps): ReactNode {
  const { editor } = props.row;
  if (editor.kind === 'text' && editor.multiline) return <LinesEditor {...props} />;
  if (props.onLeave !== undefined || !fitsPicker(props)) return <TextEditor {...props} />;
  return editor.kind === 'date' ? <DateEditor {...props} /> : <ZonedTimeEditor {...props} />;
}

export function switchEdit(row: Row): Edit {
  const { editor, kind, pointer, filled } = row;
  if (kind === 'presence') return { kind: 'presence', pointer, present: !filled };
  if (editor.kind === 'checkbox') return { kind: 'set', pointer, value: !isTrue(row) };
  if (filled) return { kind: 'clear', pointer };
  return { kind: 'set', pointer, value: 'value' in editor ? editor.value : true };
}

function isOn(row: Row): boolean {
  return row.kind !== 'presence' && row.editor.kind === 'checkbox' ? isTrue(row) : row.filled;
}

function isTrue({ value, defaultValue }: Row): boolean {
  return (value ?? defaultValue) === true;
}

/**
 * A checkbox for booleans, presence containers, `empty` and constants. The word next to it distinguishes
 * `false` from not set.
 */
export function SwitchEditor({
  row,
  id,
  isGrid,
  isNamed,
  isDisabled,
  notesId,
}: {
  readonly row: Row;
  readonly id: string;
  readonly isGrid: boolean;
  /** True if there is no visible label beside the checkbox. */
  readonly isNamed: boolean;
  readonly isDisabled: boolean;
  /** Id of the help below the checkbox. */
  readonly notesId?: string | undefined;
}): ReactNode {
  const controller = useFormController();
  return (
    <span className="gf-switch">
      <input
        id={id}
        type="checkbox"
        checked={isOn(row)}
        disabled={isDisabled}
        {...(isGrid && { tabIndex: -1 })}
        {...(isNamed && { 'aria-label': row.title })}
        aria-invalid={row.errors.length > 0}
        aria-describedby={notesId === undefined ? `${id}-word` : `${id}-word ${notesId}`}
        onChange={() => controller.edit(switchEdit(row))}
      />
      <span id={`${id}-word`} className={row.filled ? '' : 'gf-quiet'}>
        <SwitchWord row={row} />
      </span>
    </span>
  );
}

function SwitchWord({ row }: { readonly row: Row }): ReactNode {
  const { editor, kind, filled, text, value, defaultValue } = row;
  if (kind === 'presence' || editor.kind === 'empty')
    return filled ? formText('present') : formText('absent');
  if (editor.kind === 'constant') return brief(labelOf(editor.value));
  if (filled) return optionLabel({ value: value ?? false, label: text });
  return defaultValue === undefined
    ? formText('notSet')
    : brief(
        formText('defaultOf', { value: optionLabel({ value: defaultValue, label: labelOf(defaultValue) }) }),
      );
}
