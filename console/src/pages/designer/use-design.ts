import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { draftOf, type FormDraft, type StoredForm } from '../../design/draft.js';
import { type History, historyOf, redone, stepTo, undone } from '../../design/history.js';
import type { Finding } from '../../design/lint/finding.js';
import { lintForm } from '../../design/lint/lint-form.js';
import { isThere } from '../../design/outline.js';
import { useUrlState } from '../../kit/url-state.js';
import { forgetDraft, keepDraft, keptDraft } from './local-draft.js';

/** A form that is being designed: as it was read, as it is now, and what can be done to it. */
export interface Design {
  /** As the server has it. */
  readonly form: StoredForm;
  readonly saved: FormDraft;
  readonly draft: FormDraft;
  readonly isChanged: boolean;
  readonly canEdit: boolean;
  /** True when changes of another visit were found and brought back. */
  readonly isRestored: boolean;
  readonly history: History<FormDraft>;
  /** Takes a step; steps with the same `about` are one for whoever takes them back. */
  readonly change: (next: FormDraft, about?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Goes on from another state of the server, which somebody else has saved. */
  readonly rebase: (form: StoredForm) => void;
  /** Goes on after saving `sent`; what was changed since stays, to be saved the next time. */
  readonly settle: (form: StoredForm, sent: FormDraft) => void;
  /** Pointer of the schema of the field that is looked at; empty for the form itself. */
  readonly selected: string;
  readonly select: (pointer: string) => void;
  /** Follows the selected field to where it is now, for example under another name. */
  readonly follow: (pointer: string) => void;
  /** Counts the fields that were selected: another number is another field, another pointer may be the same one. */
  readonly visit: number;
  /** What is wrong; a moment behind while one types. */
  readonly findings: readonly Finding[];
}

/** Opens a form to be designed. Changes that are not saved stay in this browser. */
export function useDesign(read: StoredForm, canEdit: boolean): Design {
  const [form, setForm] = useState(read);
  const saved = useMemo(() => draftOf(form), [form]);
  const [restored] = useState(() => (canEdit ? keptDraft(read) : undefined));
  const [history, setHistory] = useState(() => historyOf(restored ?? saved));
  const [{ field }, setUrl] = useUrlState({ field: '' });
  const [visit, setVisit] = useState(0);
  const draft = history.now;
  const isChanged = useMemo(() => JSON.stringify(draft) !== JSON.stringify(saved), [draft, saved]);
  useEffect(() => {
    if (isChanged) keepDraft(form, draft);
    else forgetDraft(form.id);
  }, [form, draft, isChanged]);
  const calm = useDeferredValue(draft);
  const findings = useMemo(() => lintForm(calm), [calm]);
  const rebase = useCallback((next: StoredForm) => {
    setForm(next);
    setHistory(historyOf(draftOf(next)));
  }, []);
  const settle = useCallback((next: StoredForm, sent: FormDraft) => {
    setForm(next);
    setHistory((now) => (now.now === sent ? historyOf(draftOf(next)) : now));
  }, []);
  return {
    form,
    saved,
    draft,
    isChanged,
    canEdit,
    history,
    findings,
    rebase,
    settle,
    isRestored: restored !== undefined,
    change: useCallback((next, about) => setHistory((now) => stepTo(now, next, about)), []),
    undo: useCallback(() => setHistory(undone), []),
    redo: useCallback(() => setHistory(redone), []),
    selected: isThere(draft.schema, field) ? field : '',
    visit,
    follow: useCallback((pointer: string) => setUrl({ field: pointer }), [setUrl]),
    select: useCallback(
      (pointer: string) => {
        setVisit((count) => count + 1);
        setUrl({ field: pointer });
      },
      [setUrl],
    ),
  };
}
