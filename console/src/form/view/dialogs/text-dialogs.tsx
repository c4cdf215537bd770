import { type ReactNode, useId, useState } from 'react';
import { errorMessage } from '../../../../../src/lib/error-message.js';
import {
  documentText,
  type Edit,
  type FormState,
  jsonFrom,
  jsonPatch,
  mergePatch,
  readJson,
  type Row,
  writeJson,
  yangDocument,
} from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { Button, Select } from '../controls.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { mayEdit } from '../row-actions.js';
import { FormDialog, TextOutput, type TextOutputProps } from './form-dialog.js';

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
    setFault('');
    if (text.trim() === '') return { kind: 'clear', pointer: row.pointer };
    try {
      return { kind: 'set', pointer: row.pointer, value: readJson(text) };
    } catch (error) {
      setFault(errorMessage(error));
      return undefined;
    }
  };
  const apply = () => {
    const edit = check();
    if (!edit) return;
    controller.edit(edit);
    controller.showDialog(undefined);
  };
  return (
    <FormDialog
      title={formText('jsonOf', { title: row.title })}
      isWide
      actions={
        <>
          {canEdit && (
            <Button kind="primary" onClick={apply}>
              {formText('apply')}
            </Button>
          )}
          <TextOutput text={text} fileName={`${row.key}.json`} type="application/json" />
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

type Format = 'json' | 'jsonPatch' | 'mergePatch' | 'yang';

/** The formats of an export. A document has no text in a format that cannot express it. */
const FORMATS: Readonly<
  Record<Format, Omit<TextOutputProps, 'text'> & { textOf: (state: FormState) => string | undefined }>
> = {
  json: { fileName: 'form.json', type: 'application/json', textOf: (state) => documentText(state, 2) },
  jsonPatch: {
    fileName: 'form.patch.json',
    type: 'application/json-patch+json',
    textOf: (state) => writeJson(jsonFrom(jsonPatch(state)), 2),
  },
  mergePatch: {
    fileName: 'form.merge-patch.json',
    type: 'application/merge-patch+json',
    textOf: (state) => {
      const patch = mergePatch(state);
      return patch === undefined ? undefined : writeJson(patch, 2);
    },
  },
  yang: {
    fileName: 'form.yang-data.json',
    type: 'application/yang-data+json',
    textOf: (state) => writeJson(yangDocument(state), 2),
  },
};

/** Maximum length of the shown text; Copy copies the full text. */
const MAX_SHOWN_LENGTH = 50_000;

/** Dialog that exports the document, or its changes, in common formats. */
export function ExportDialog({ state }: { readonly state: FormState }): ReactNode {
  const id = useId();
  const [format, setFormat] = useState<Format>('json');
  const { textOf: textIn, ...file } = FORMATS[format];
  const text = textIn(state);
  return (
    <FormDialog
      title={formText('export')}
      isWide
      actions={text !== undefined && <TextOutput {...file} text={text} />}
    >
      <p className="gf-line">
        <label htmlFor={id}>{formText('format')}</label>
        <Select
          id={id}
          value={format}
          options={Object.keys(FORMATS).map((name) => [name, formText(name as Format)])}
          onPick={(name) => setFormat(name as Format)}
        />
      </p>
      {text === undefined ? (
        <p className="gf-warning">{formText('noMergePatch')}</p>
      ) : (
        <pre className="gf-code" tabIndex={0} role="group" aria-label={formText(format)}>
          {text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}\n…` : text}
        </pre>
      )}
    </FormDialog>
  );
}
