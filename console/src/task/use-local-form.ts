import { useEffect, useState } from 'react';
import type { FormState } from '../form/model/index.js';
import type { Task } from './server.js';
import { type Clash, clashesOf, hasUnsaved, keepLocal, openTaskForm, restoreLocal } from './task-form.js';

/** The form of a task, and its unsaved changes in this browser. */
export interface LocalForm {
  readonly form: FormState;
  readonly setForm: (form: FormState | ((form: FormState) => FormState)) => void;
  /** False if the unsaved changes are not stored in this browser. */
  readonly isKept: boolean;
  /** True if unsaved changes of an earlier visit were restored. */
  readonly isRestored: boolean;
  /** Values that another person saved since the earlier visit, and that were changed here too. */
  readonly restoredClashes: readonly Clash[];
  /** Discards the unsaved changes. */
  readonly discard: () => void;
}

/** Returns the form of a task with the changes that are stored in this browser, and stores new changes. */
export function useLocalForm(user: string, task: Task): LocalForm {
  const [restored] = useState(() => restoreLocal(user, task));
  const [form, setForm] = useState(restored.state);
  const [isRestored, setRestored] = useState(() => hasUnsaved(restored.state, task));
  const [isKept, setKept] = useState(true);
  const { data } = form;
  useEffect(() => {
    setKept(keepLocal(user, task, form));
    if (!hasUnsaved(form, task)) setRestored(false);
    // Opening and searching rows changes the form, but not the stored data.
  }, [user, task, data]);
  const [restoredClashes] = useState(() => clashesOf(restored));
  const discard = () => {
    setForm(openTaskForm(task));
    setRestored(false);
  };
  return { form, setForm, isKept, isRestored, restoredClashes, discard };
}
