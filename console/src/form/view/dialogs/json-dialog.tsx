import { type ReactNode, useId, useState } from 'react';
import { type Edit, readJson, type Row, writeJson } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { mayEdit } from '../row-actions.js';
import { FormDialog } from './form-dialog.js';
import { TextOut } from './text-out.js';

/**
 * Edits a row and its content as JSON. The text is checked when it loses the focus, and applied if it is
 * valid JSON.
 */
export function JsonDialog({ row }: { readonly row: Row }): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const id = useId();
  const canEdit = mayEdit(row, desk);
  const [text, setText] = useState(() => (row.value === undefined ? '' : writeJson(row.value, 2)));
  const [fault, setFault] = useState('');
  const look = (): Edit | undefined => {
    const read = editFrom(row.pointer, text);
    setFault(read instanceof SyntaxError ? read.message : '');
    return read instanceof SyntaxError ? undefined : read;
  };
  const apply = () => {
    const edit = look();
    if (!edit) return;
    desk.edit(edit);
    desk.show(undefined);
  };
  const out = <TextOut text={text} fileName={`${row.key}.json`} type="application/json" />;
  return (
    <FormDialog
      title={labels.jsonOf(row.title)}
      isWide
      actions={
        <>
          {canEdit && (
            <button type="button" className="gf-button gf-primary" onClick={apply}>
              {labels.apply}
            </button>
          )}
          {out}
        </>
      }
    >
      <textarea
        className="gf-input gf-code"
        rows={18}
        aria-label={labels.jsonOf(row.title)}
        aria-describedby={id}
        aria-invalid={fault !== ''}
        spellCheck={false}
        readOnly={!canEdit}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => void look()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.ctrlKey) apply();
        }}
      />
      <p id={id} className={fault === '' ? 'gf-quiet' : 'gf-error'} role="status">
        {fault === '' ? canEdit && labels.jsonHint : fault}
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
