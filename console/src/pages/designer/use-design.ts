import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { isJsonObject } from '../../../../src/json/json-object.js';
import { removeOfOthers, withStorage } from '../../api/browser-storage.js';
import { draftOf, type FormDraft, type StoredForm } from '../../design/draft.js';
import { type History, historyOf, redone, stepTo, undone } from '../../design/history.js';
import type { Finding } from '../../design/lint/each-schema.js';
import { lintForm } from '../../design/lint/lint-form.js';
import { isThere } from '../../design/outline.js';
import { useUrlState } from '../../kit/url-state.js';

/** A form in the designer: as it was read, its current state, and its operations. */
export interface Design {
  readonly form: StoredForm;
  readonly saved: FormDraft;
  readonly draft: FormDraft;
  readonly isChanged: boolean;
  readonly canEdit: boolean;
  /** True if unsaved changes of an earlier visit were restored. */
  readonly isRestored: boolean;
  readonly history: History<DesignStep>;
  /** The data in the preview of the form, as JSON. */
  readonly preview: string;
  /** Changes the data in the preview, as an undo step like those of the form. */
  readonly enter: (preview: string, about: string) => void;
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

/** What an undo step restores: the form, and the data in its preview. */
interface DesignStep {
  readonly draft: FormDraft;
  readonly preview: string;
}

interface DesignOptions {
  readonly canEdit: boolean;
  /** Id of the user. */
  readonly user: string;
}

/** Opens a form in the designer. Unsaved changes stay in this browser. */
export function useDesign(read: StoredForm, { canEdit, user }: DesignOptions): Design {
  const [form, setForm] = useState(read);
  const saved = useMemo(() => draftOf(form), [form]);
  const [restored] = useState(() => (canEdit ? storedDraft({ user, form: read }) : undefined));
  const [history, setHistory] = useState(() =>
    historyOf<DesignStep>({ draft: restored ?? saved, preview: '{}' }),
  );
  const [{ field }, setUrl] = useUrlState({ field: '' });
  const [visit, setVisit] = useState(0);
  const { draft, preview } = history.now;
  const isChanged = useMemo(() => JSON.stringify(draft) !== JSON.stringify(saved), [draft, saved]);
  useEffect(() => {
    if (isChanged) storeDraft({ user, form }, draft);
    else removeDraft({ user, form });
  }, [user, form, draft, isChanged]);
  useEffect(() => removeDraftsOfOthers(user), [user]);
  const deferredDraft = useDeferredValue(draft);
  const findings = useMemo(() => lintForm(deferredDraft), [deferredDraft]);
  const rebase = useCallback((next: StoredForm) => {
    setForm(next);
    setHistory(({ now }) => historyOf({ ...now, draft: draftOf(next) }));
  }, []);
  const settle = useCallback((next: StoredForm, sent: FormDraft) => {
    setForm(next);
    setHistory((known) =>
      known.now.draft === sent ? historyOf({ ...known.now, draft: draftOf(next) }) : known,
    );
  }, []);
  return {
    form,
    saved,
    draft,
    preview,
    isChanged,
    canEdit,
    history,
    findings,
    rebase,
    settle,
    nameFocus: useRef(false),
    isRestored: restored !== undefined,
    change: useCallback(
      (next, about) =>
        setHistory((known) =>
          next === known.now.draft ? known : stepTo(known, { ...known.now, draft: next }, about),
        ),
      [],
    ),
    enter: useCallback(
      (next, about) =>
        setHistory((known) =>
          next === known.now.preview ? known : stepTo(known, { ...known.now, preview: next }, about),
        ),
      [],
    ),
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

// Unsaved changes of a form stay in the local storage of the browser until the user saves or discards them.

/** User and form of the changes. */
interface DraftOwner {
  /** Id of the user, as in `GET /whoami`. */
  readonly user: string;
  readonly form: Pick<StoredForm, 'id' | 'lastUpdated'>;
}

const KEY_PREFIX = 'gatehouse.design.';

function keyOf({ user, form }: DraftOwner): string {
  return `${KEY_PREFIX}${user}.${form.id}`;
}

/** Stores unsaved changes in this browser. Changes that exceed the storage are not stored. */
function storeDraft(owner: DraftOwner, draft: FormDraft): void {
  withStorage((storage) =>
    storage.setItem(keyOf(owner), JSON.stringify({ lastUpdated: owner.form.lastUpdated, draft })),
  );
}

/** Returns the stored changes of the user for the same version of the form; undefined without stored changes. */
function storedDraft(owner: DraftOwner): FormDraft | undefined {
  const stored = withStorage((storage): unknown => JSON.parse(storage.getItem(keyOf(owner)) ?? 'null'));
  if (!isJsonObject(stored) || stored['lastUpdated'] !== owner.form.lastUpdated) return undefined;
  return isJsonObject(stored['draft']) ? draftOf(stored['draft']) : undefined;
}

function removeDraft(owner: DraftOwner): void {
  withStorage((storage) => storage.removeItem(keyOf(owner)));
}

/**
 * Removes the stored changes of other users of this browser: a user who saves a form grants its queries, so nobody
 * may save the changes of another person unseen.
 */
function removeDraftsOfOthers(user: string): void {
  removeOfOthers(KEY_PREFIX, user);
}
