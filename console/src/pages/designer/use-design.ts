import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { draftOf, type FormDraft, type StoredForm } from '../../design/draft.js';
import { type History, historyOf, redone, stepTo, undone } from '../../design/history.js';
import type { Finding } from '../../design/lint/finding.js';
import { lintForm } from '../../design/lint/lint-form.js';
import { isThere } from '../../design/outline.js';
import { useUrlState } from '../../kit/url-state.js';
import { isJsonObject } from '../../../../src/core/json-object.js';

/** A form in the designer: as it was read, its current state, and its operations. */
export interface Design {
  /** The form as stored on the server. */
  readonly form: StoredForm;
  readonly saved: FormDraft;
  readonly draft: FormDraft;
  readonly isChanged: boolean;
  readonly canEdit: boolean;
  /** True if unsaved changes of an earlier visit were restored. */
  readonly isRestored: boolean;
  readonly history: History<FormDraft>;
  /** Adds an undo step; consecutive steps with the same `about` are undone together. */
  readonly change: (next: FormDraft, about?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Continues from a newer version on the server, which another user has saved. */
  readonly rebase: (form: StoredForm) => void;
  /** Continues after `sent` was saved; later changes stay unsaved. */
  readonly settle: (form: StoredForm, sent: FormDraft) => void;
  /** Pointer of the schema of the selected field; empty for the form itself. */
  readonly selected: string;
  readonly select: (pointer: string) => void;
  /** Updates the selection after the selected field moved, for example because it was renamed. */
  readonly follow: (pointer: string) => void;
  /** Counts selections: a new number is a new field, while a new pointer may be the same field. */
  readonly visit: number;
  /** True before the name of a new field gets the focus. */
  readonly nameFocus: RefObject<boolean>;
  /** Findings; they follow edits with a short delay. */
  readonly findings: readonly Finding[];
}

/** Opens a form in the designer. Unsaved changes stay in this browser. */
export function useDesign(read: StoredForm, canEdit: boolean): Design {
  const [form, setForm] = useState(read);
  const saved = useMemo(() => draftOf(form), [form]);
  const [restored] = useState(() => (canEdit ? storedDraft(read) : undefined));
  const [history, setHistory] = useState(() => historyOf(restored ?? saved));
  const [{ field }, setUrl] = useUrlState({ field: '' });
  const [visit, setVisit] = useState(0);
  const draft = history.now;
  const isChanged = useMemo(() => JSON.stringify(draft) !== JSON.stringify(saved), [draft, saved]);
  useEffect(() => {
    if (isChanged) storeDraft(form, draft);
    else removeDraft(form.id);
  }, [form, draft, isChanged]);
  const deferredDraft = useDeferredValue(draft);
  const findings = useMemo(() => lintForm(deferredDraft), [deferredDraft]);
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
    nameFocus: useRef(false),
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

const storageKey = (id: string): string => `gatehouse.design.${id}`;

/** Stores unsaved changes in this browser. Changes that exceed the storage are not stored. */
function storeDraft({ id, lastUpdated }: StoredForm, draft: FormDraft): void {
  try {
    window.localStorage.setItem(storageKey(id), JSON.stringify({ lastUpdated, draft }));
  } catch {
    // Storage is full or disabled: the draft lasts as long as the page.
  }
}

/** Returns the stored changes for the same version of the form; undefined without stored changes. */
function storedDraft({ id, lastUpdated }: StoredForm): FormDraft | undefined {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(storageKey(id)) ?? 'null');
    if (!isJsonObject(stored) || stored['lastUpdated'] !== lastUpdated || !isJsonObject(stored['draft']))
      return undefined;
    return draftOf(stored['draft']);
  } catch {
    return undefined;
  }
}

/** Removes the stored changes. */
function removeDraft(id: string): void {
  window.localStorage.removeItem(storageKey(id));
}
