import type { ReactNode } from 'react';
import type { StoredForm } from '../../design/draft.js';
import type { Finding } from '../../design/lint/finding.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import type { Status } from '../../kit/status-kinds.js';
import { useFindings } from './use-findings.js';

/** The lint status of a form, with a link to the findings. */
export function LintState({ form }: { readonly form: StoredForm }): ReactNode {
  const findings = useFindings(form);
  if (!findings) return <span className="gh-quiet">…</span>;
  const { status, words } = lintWords(findings);
  const label = <StatusLabel status={status}>{words}</StatusLabel>;
  if (findings.length === 0) return <span>{label}</span>;
  return <Link to={`/forms/${encodeURIComponent(form.id)}?tab=check`}>{label}</Link>;
}

/** Summarizes findings in a word or two. */
export function lintWords(findings: readonly Finding[]): { readonly status: Status; readonly words: string } {
  const errors = findings.filter(({ kind }) => kind === 'error').length;
  const warnings = findings.length - errors;
  if (errors > 0) return { status: 'bad', words: `${errors} ${errors === 1 ? 'error' : 'errors'}` };
  if (warnings > 0)
    return { status: 'warning', words: `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}` };
  return { status: 'good', words: 'no problems' };
}
