import { type ReactNode, useId, useState } from 'react';
import { textOf } from '../../../text/text.js';
import { type Edit, readJson, type Row, writeJson } from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { useFormController } from '../form-controller.js';
import { mayEdit } from '../row-actions.js';
import { FormDialog } from './form-dialog.js';
import { TextOutput } from './text-output.js';

const formText = textOf('form');

/**
 * Dialog that edits a row and its content as JSON. The text is checked when the text area loses the focus. Only
 * valid JSON is applied.
 */
export function JsonDialog({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const id = useId();
  const canEdit = mayEdit(row, controller);
  const [text, setText] = useState(() => (row.value === undefined ? '' : writeJson(row.value, 2)));
  const [fault, setFault] = useState('');
  const check = (): Edit | undefined => {
    const read = editFrom(row.pointer, text);
    setFault(read instanceof SyntaxError ? read.message : '');
    return read instanceof SyntaxError ? undefined : read;
  };
  const apply = () => {
    const edit = check();
    if (!edit) return;
    controller.edit(edit);
    controller.showDialog(undefined);
  };
  const out = <TextOutput text={text} fileName={`${row.key}.json`} type="application/json" />;
  return (
    <FormDialog
      title={formText('jsonOf', { title: row.title })}
      isWide
      actions={
        <>
          {canEdit && (
            <button type="button" className="gh-button" data-kind="primary" onClick={apply}>
              {formText('apply')}
            </button>
          )}
          {out}
        </>
      }
    >
      <textarea
        className="gh-input gf-input gf-code"
        rows={18}
        aria-label={formText('jsonOf', { title: row.title })}
        aria-describedby={id}
        aria-invalid={fault !== ''}
        spellCheck={false}
        readOnly={!canEdit}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => afterPress(() => void check())}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.ctrlKey) apply();
        }}
      />
      <p id={id} className={fault === '' ? 'gf-quiet' : 'gf-error'} role="status">
        {fault === '' ? canEdit && formText('jsonHint') : fault}
      </p>
    </FormDialog>
  );
}

function editFrom(pointer: string, text: string): Edit | SyntaxError {
  if (text.trim() === '') return { kind: 'clear', pointer };
  try {
    return { kind: 'set', pointer, value: readJson(text) };
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError(String(error));
  }
}
