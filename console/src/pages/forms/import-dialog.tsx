import { type ReactNode, useMemo, useState } from 'react';
import { useWrite } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { CodeView } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { FileField } from '../../kit/fields.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { type FormsText, readForms } from './forms-text.js';

const text = textOf('forms');

const MAX_FILE_BYTES = 20_000_000;

/** Imports forms from an export: a file, or pasted text. Shows the result for each form. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [json, setJson] = useState('');
  const send = useWrite<ImportReport>(['/json-forms/forms']);
  const read = useMemo(() => tryRead(json), [json]);
  const start = (json: string) =>
    send.mutate({ method: 'POST', path: '/json-forms/import/forms?partial=true', json });
  if (send.data)
    return (
      <Dialog title={text('importResult')} isOpen isWide onClose={onClose}>
        <ImportReports report={send.data.data} />
      </Dialog>
    );
  const count = read.found?.names.length ?? 0;
  return (
    <Dialog
      title={text('importTitle')}
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
          {count === 0 ? text('import') : text('importCount', { count })}
        </Button>
      }
    >
      <div className="gh-stack">
        <p>{text('importHelp')}</p>
        {send.error && <Failure problem={send.error} />}
        <FileField
          label={text('file')}
          accept=".json,application/json"
          maxBytes={MAX_FILE_BYTES}
          onText={setJson}
        />
        <CodeEditor label={text('formsAsJson')} height="small" value={json} onChange={setJson} />
        {read.fault !== undefined && (
          <Notice kind="warning" title={text('importRefused')}>
            {read.fault}
          </Notice>
        )}
        {count > 0 && <p className="gh-quiet">{read.found?.names.slice(0, 20).join(', ')}</p>}
      </div>
    </Dialog>
  );
}

function tryRead(json: string): { readonly found?: FormsText; readonly fault?: string } {
  if (json.trim() === '') return {};
  try {
    return { found: readForms(json) };
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: text('notJson') };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

interface FormExcerpt {
  readonly _id?: unknown;
  readonly name?: unknown;
}

/** Reply of `POST /json-forms/import/forms`. */
export interface ImportReport {
  readonly status: string;
  readonly message: string;
  readonly imported: readonly {
    readonly success: boolean;
    readonly message: string;
    readonly original: FormExcerpt;
    readonly created: FormExcerpt | null;
  }[];
}

/** Renders the result for each imported form. */
function ImportReports({ report }: { readonly report: ImportReport }): ReactNode {
  const { imported, message } = report;
  const skipped = imported.filter(({ success }) => !success).length;
  return (
    <div className="gh-stack">
      <Notice kind={skipped === 0 ? 'success' : 'warning'} title={message} />
      <ul className="gh-reports">
        {imported.map(({ success, message: what, original, created }, at) => (
          <li key={at}>
            <StatusLabel status={success ? 'good' : 'bad'}>{text(success ? 'added' : 'skipped')}</StatusLabel>
            {created ? (
              <span>
                <Link to={`/forms/${encodeURIComponent(plainText(created._id))}`}>
                  {plainText(created.name)}
                </Link>
                {created.name !== original.name && (
                  <span className="gh-quiet"> {text('nameExists', { name: plainText(original.name) })}</span>
                )}
              </span>
            ) : (
              <span>
                {text('skippedForm', {
                  name: plainText(original.name) || text('formNumber', { number: at + 1 }),
                  reason: what,
                })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <details>
        <summary>{text('serverResponse')}</summary>
        <CodeView label={text('response')} text={JSON.stringify(report, null, 2)} />
      </details>
    </div>
  );
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
