import type { ReactNode } from 'react';
import { editModeOf } from '../edit-mode.js';
import { AlternativesEditor, CheckSetEditor, RadioEditor } from './choice-set.js';
import { ComboboxEditor } from './combobox.js';
import type { EditorProps } from './draft.js';
import { FileEditor } from './file-editor.js';
import { SelectEditor } from './select-editor.js';
import { SignatureEditor } from './signature-editor.js';
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
