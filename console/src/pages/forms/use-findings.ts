import { useEffect, useState } from 'react';
import { draftOf, type StoredForm } from '../../design/draft.js';
import type { Finding } from '../../design/lint/finding.js';

const known = new WeakMap<StoredForm, readonly Finding[]>();

/** Forms are checked one after the other, so that the page stays responsive with a long list. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Returns the findings of a stored form; undefined until they are known. The engine is loaded on first use.
 */
export function useFindings(form: StoredForm): readonly Finding[] | undefined {
  const [findings, setFindings] = useState(known.get(form));
  useEffect(() => {
    const ending = new AbortController();
    turn = turn.then(() => look(form, ending.signal, setFindings));
    return () => ending.abort();
  }, [form]);
  return findings;
}

async function look(
  form: StoredForm,
  ending: AbortSignal,
  tell: (findings: readonly Finding[]) => void,
): Promise<void> {
  if (ending.aborted) return;
  const { lintForm } = await import('../../design/lint/lint-form.js');
  await new Promise((resolve) => window.setTimeout(resolve));
  const findings = known.get(form) ?? lintForm(draftOf(form));
  known.set(form, findings);
  tell(findings);
}
