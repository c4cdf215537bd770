import { type ReactNode, useMemo, useState } from 'react';
import { useWrite } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { FileField } from '../../kit/file-field.js';
import { type FormsText, readForms } from './forms-text.js';
import { type ImportReport, ImportReports } from './import-reports.js';

const LARGEST_BYTES = 20_000_000;

/** Imports forms from an export: a file, or pasted text. Shows the result for each form. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const send = useWrite<ImportReport>(['/json-forms/forms']);
  const read = useMemo(() => tryRead(text), [text]);
  const start = (json: string) =>
    send.mutate({ method: 'POST', path: '/json-forms/import/forms?partial=true', json });
  if (send.data)
    return (
      <Dialog title="Import result" isOpen isWide onClose={onClose}>
        <ImportReports report={send.data.data} />
      </Dialog>
    );
  const count = read.found?.names.length ?? 0;
  return (
    <Dialog
      title="Import forms"
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button
          kind="primary"
          isDisabled={count === 0}
          isBusy={send.isPending}
          onPress={() => read.found && start(read.found.json)}
        >
          {count === 0 ? 'Import' : `Import ${count} ${count === 1 ? 'form' : 'forms'}`}
        </Button>
      }
    >
      <div className="gh-stack">
        <p>
          A form whose name already exists is added as “name (1)”. Entries that are not forms are skipped and
          reported.
        </p>
        {send.error && <Failure problem={send.error} />}
        <FileField label="File" accept=".json,application/json" maxBytes={LARGEST_BYTES} onText={setText} />
        <CodeEditor label="Forms as JSON" height="small" value={text} onChange={setText} />
        {read.fault !== undefined && (
          <Notice kind="warning" title="The text cannot be imported">
            {read.fault}
          </Notice>
        )}
        {count > 0 && <p className="gh-quiet">{read.found?.names.slice(0, 20).join(', ')}</p>}
      </div>
    </Dialog>
  );
}

function tryRead(text: string): { readonly found?: FormsText; readonly fault?: string } {
  if (text.trim() === '') return {};
  try {
    return { found: readForms(text) };
  } catch (error) {
    if (error instanceof SyntaxError)
      return { fault: 'The text is not valid JSON. See the mark in the text.' };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
