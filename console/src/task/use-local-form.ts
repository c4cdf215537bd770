import { useEffect, useState } from 'react';
import type { FormState } from '../form/model/index.js';
import type { OpenClash } from './clashes.js';
import type { Task } from './server.js';
import { hasUnsaved, keepLocal, openTaskForm, restoreLocal } from './task-form.js';

/** The form of a task, and its unsaved changes in this browser. */
export interface LocalForm {
  readonly form: FormState;
  readonly setForm: (form: FormState | ((form: FormState) => FormState)) => void;
  /** False if the unsaved changes are not stored in this browser. */
  readonly isKept: boolean;
  /** True if unsaved changes of an earlier visit were restored. */
  readonly isRestored: boolean;
  /** Discards the unsaved changes. */
  readonly discard: () => void;
}

/** A `LocalForm`, and the values that another person changed differently. */
interface LocalEditing extends LocalForm {
  readonly clashes: readonly OpenClash[];
  readonly setClashes: (clashes: readonly OpenClash[]) => void;
}

/** Returns the form of a task with the changes that are stored in this browser, and stores new changes. */
export function useLocalForm(user: string, task: Task): LocalEditing {
  const [restored] = useState(() => restoreLocal(user, task));
  const [form, setForm] = useState(restored.form);
  const [clashes, setClashes] = useState(restored.clashes);
  const [isRestored, setRestored] = useState(() => hasUnsaved(restored.form, task));
  const [isKept, setKept] = useState(true);
  const { data } = form;
  useEffect(() => {
    setKept(keepLocal(user, task, { form, clashes }));
    if (!hasUnsaved(form, task)) setRestored(false);
    // Opening and searching rows changes the form, but not the stored data.
  }, [user, task, data, clashes]);
  const discard = () => {
    setForm(openTaskForm(task));
    setClashes([]);
    setRestored(false);
  };
  return { form, setForm, clashes, setClashes, isKept, isRestored, discard };
}
