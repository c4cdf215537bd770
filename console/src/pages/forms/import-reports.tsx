import type { ReactNode } from 'react';
import { CodeView } from '../../kit/copy.js';
import { Notice } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';

interface Excerpt {
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
    readonly original: Excerpt;
    readonly created: Excerpt | null;
  }[];
}

/** Result for each form of an import. */
export function ImportReports({ report }: { readonly report: ImportReport }): ReactNode {
  const { imported, message } = report;
  const left = imported.filter(({ success }) => !success).length;
  return (
    <div className="gh-stack">
      <Notice kind={left === 0 ? 'success' : 'warning'} title={message} />
      <ul className="gh-reports">
        {imported.map(({ success, message: what, original, created }, at) => (
          <li key={at}>
            <StatusLabel status={success ? 'good' : 'bad'}>{success ? 'added' : 'skipped'}</StatusLabel>
            {created ? (
              <span>
                <Link to={`/forms/${encodeURIComponent(textOf(created._id))}`}>{textOf(created.name)}</Link>
                {created.name !== original.name && (
                  <span className="gh-quiet"> (“{textOf(original.name)}” already exists)</span>
                )}
              </span>
            ) : (
              <span>
                {textOf(original.name) || `form ${at + 1}`}: {what}
              </span>
            )}
          </li>
        ))}
      </ul>
      <details>
        <summary>Server response</summary>
        <CodeView label="Response" text={JSON.stringify(report, null, 2)} />
      </details>
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
