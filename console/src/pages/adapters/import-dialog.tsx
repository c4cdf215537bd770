import { type ReactNode, useState } from 'react';
import { FileField, TextAreaField } from '../../kit/fields.js';
import { faultOfObject } from '../../kit/json-text.js';
import { RequestDialog } from './request-dialog.js';

/** Maximum size of a file, in bytes; the server's limit is lower. */
const MAX_FILE_BYTES = 5_000_000;

/** Imports an exported adapter. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const fault = text === '' ? undefined : faultOfObject(text);
  return (
    <RequestDialog
      title="Import adapter"
      verb="Import"
      request={{ method: 'POST', path: '/adapters/import', json: `{"properties":${text}}` }}
      isReady={text !== '' && fault === undefined}
      isWide
      onClose={onClose}
    >
      <FileField label="File" accept=".json,application/json" maxBytes={MAX_FILE_BYTES} onText={setText} />
      <TextAreaField
        label="The adapter as JSON"
        isCode
        rows={14}
        value={text}
        onChange={setText}
        help="Paste the JSON of an export. The adapter is registered under the name in the JSON and starts at once. Write secrets as Vault references; plain-text secrets are refused."
        {...(fault !== undefined && { error: fault })}
      />
    </RequestDialog>
  );
}
