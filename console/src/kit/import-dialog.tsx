import { type ReactNode, useState } from 'react';
import { textOf } from '../text/text.js';
import { FileField, TextAreaField } from './fields.js';
import { faultOfObject } from './json-text.js';
import { RequestDialog } from './request-dialog.js';

interface ImportDialogProps<Data> {
  /** Messages of the dialog: `import`, `import.title`, `import.file`, `import.json` and `import.help`. */
  readonly area: 'adapters' | 'profiles';
  readonly path: string;
  /** Paths that are read again after the import. */
  readonly affects: readonly string[];
  readonly onDone: (reply: Data, imported: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}

/** Maximum size of a file, in bytes; the server's limit is lower. */
const MAX_FILE_BYTES = 5_000_000;

/** Imports an exported record: from a file, or from pasted JSON. */
export function ImportDialog<Data>(props: ImportDialogProps<Data>): ReactNode {
  const { area, path, affects, onDone, onClose } = props;
  const text = textOf(area);
  const [json, setJson] = useState('');
  const fault = json.trim() === '' ? undefined : faultOfObject(json);
  return (
    <RequestDialog<Data>
      title={text('import.title')}
      verb={text('import')}
      request={{ method: 'POST', path, json: `{"properties":${json}}` }}
      affects={affects}
      isReady={json.trim() !== '' && fault === undefined}
      isWide
      onDone={(reply) => onDone(reply, JSON.parse(json) as Readonly<Record<string, unknown>>)}
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
    </RequestDialog>
  );
}
