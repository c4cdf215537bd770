import { useEffect, useState } from 'react';
import { draftOf, type StoredForm } from '../../design/draft.js';
import type { Finding } from '../../design/lint/finding.js';

const known = new WeakMap<StoredForm, readonly Finding[]>();

/** One form after the other, so that the page stays quick while a list of them is looked at. */
let turn: Promise<unknown> = Promise.resolve();

/** What is wrong with a stored form; undefined until that is known. The engine comes when it is first needed. */
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
