import { type ReactNode, useState } from 'react';
import { TextAreaField } from '../../kit/fields.js';
import { FileField } from '../../kit/file-field.js';
import { faultOfObject } from './json-text.js';
import { RequestDialog } from './request-dialog.js';

/** Maximum size of a file, in bytes; the server's limit is lower. */
const MOST_BYTES = 5_000_000;

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
      <FileField label="A file" accept=".json,application/json" maxBytes={MOST_BYTES} onText={setText} />
      <TextAreaField
        label="The adapter as JSON"
        isCode
        rows={14}
        value={text}
        onChange={setText}
        help="As an export gives it. It is registered under its name and starts with the answer. A secret in plain text is refused; exports hold references."
        {...(fault !== undefined && { error: fault })}
      />
    </RequestDialog>
  );
}
