import { type ReactNode, useState } from 'react';
import { FileField, TextAreaField } from '../../kit/fields.js';
import { faultOfObject } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';
import { AdapterRequestDialog } from './adapter-request-dialog.js';

const text = textOf('adapters');

/** Maximum size of a file, in bytes; the server's limit is lower. */
const MAX_FILE_BYTES = 5_000_000;

/** Imports an exported adapter. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [json, setJson] = useState('');
  const fault = json === '' ? undefined : faultOfObject(json);
  return (
    <AdapterRequestDialog
      title={text('import.title')}
      verb={text('import')}
      request={{ method: 'POST', path: '/adapters/import', json: `{"properties":${json}}` }}
      isReady={json !== '' && fault === undefined}
      isWide
      onClose={onClose}
    >
      <FileField
        label={text('import.file')}
        accept=".json,application/json"
        maxBytes={MAX_FILE_BYTES}
        onText={setJson}
      />
      <TextAreaField
        label={text('import.json')}
        isCode
        rows={14}
        value={json}
        onChange={setJson}
        help={text('import.help')}
        {...(fault !== undefined && { error: fault })}
      />
    </AdapterRequestDialog>
  );
}
