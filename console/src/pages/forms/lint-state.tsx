import { type ReactNode, useEffect, useState } from 'react';
import { draftOf, type StoredForm } from '../../design/draft.js';
import type { Finding } from '../../design/lint/each-schema.js';
import { Link } from '../../kit/link.js';
import type { Status } from '../../kit/status-kinds.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';

const text = textOf('forms');

/** Renders the lint status of a form, with a link to the findings. */
export function LintState({ form }: { readonly form: StoredForm }): ReactNode {
  const findings = useFindings(form);
  if (!findings) return <span className="gh-quiet">…</span>;
  const { status, words } = lintSummary(findings);
  const label = <StatusLabel status={status}>{words}</StatusLabel>;
  if (findings.length === 0) return <span>{label}</span>;
  return <Link to={`/forms/${encodeURIComponent(form.id)}?tab=check`}>{label}</Link>;
}

/** Summarizes findings in a word or two. */
function lintSummary(findings: readonly Finding[]): {
  readonly status: Status;
  readonly words: string;
} {
  const errors = findings.filter(({ kind }) => kind === 'error').length;
  const warnings = findings.length - errors;
  if (errors > 0) return { status: 'bad', words: text('errors', { count: errors }) };
  if (warnings > 0) return { status: 'warning', words: text('warnings', { count: warnings }) };
  return { status: 'good', words: text('valid') };
}

const findingsByForm = new WeakMap<StoredForm, readonly Finding[]>();

/** The checks of all forms, one after the other, so that the page stays responsive with a long list. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Returns the findings of a stored form; undefined until they are known. The engine is loaded on first use.
 */
function useFindings(form: StoredForm): readonly Finding[] | undefined {
  const [findings, setFindings] = useState(findingsByForm.get(form));
  useEffect(() => {
    const cancellation = new AbortController();
    queue = queue.then(() => findAndReport(form, cancellation.signal, setFindings));
    return () => cancellation.abort();
  }, [form]);
  return findings;
}

async function findAndReport(
  form: StoredForm,
  cancellation: AbortSignal,
  report: (findings: readonly Finding[]) => void,
): Promise<void> {
  if (cancellation.aborted) return;
  // Without a connection, the check of the next form loads the engine again.
  const engine = await import('../../design/lint/lint-form.js').catch(() => undefined);
  if (!engine) return;
  await new Promise((resolve) => window.setTimeout(resolve));
  const findings = findingsByForm.get(form) ?? engine.lintForm(draftOf(form));
  findingsByForm.set(form, findings);
  report(findings);
}
