import { useEffect, useState } from 'react';
import { type ApiProblem, type ProblemError, problemOf } from '../api/problem.js';
import {
  checkAll,
  type FormState,
  isUnchanged,
  type Json,
  nextError,
  openForm,
  validationResultOf,
  withLoaded,
  withServerErrors,
} from '../form/model/index.js';
import { removeDraft, keepDraft, restoreDraft } from './local-draft.js';
import { decide, type Decision, obtainTask, saveDraft, type Task } from './server.js';

export interface OpenTaskProps {
  /** Id of the current user. */
  readonly user: string;
  readonly task: Task;
  readonly onSaved: (task: Task) => void;
  readonly onDecided: (task: Task) => void;
}

/** State and operations of a task that is being edited. */
export interface TaskEditing {
  readonly form: FormState;
  readonly setForm: (form: FormState | ((form: FormState) => FormState)) => void;
  /** Text of the running operation. */
  readonly progress: string | undefined;
  readonly problem: ApiProblem | undefined;
  /** The first row with an error, after an approval that failed. */
  readonly firstError: { readonly id: string } | undefined;
  /** False if the edits are not stored in this browser. */
  readonly isKept: boolean;
  /** True if unsaved edits were restored. */
  readonly isRestored: boolean;
  /** Discards all edits. */
  readonly discard: () => void;
  /** The version of the task that another user saved during the edit. */
  readonly conflict: Task | undefined;
  /** Applies the edits to the other user's version. */
  readonly resume: () => void;
  readonly save: () => Promise<void>;
  readonly decide: (decision: Decision) => Promise<void>;
}

/** Returns the state and operations of an open task. */
export function useTask({ user, task, onSaved, onDecided }: OpenTaskProps): TaskEditing {
  const [firstError, setFirstError] = useState<TaskEditing['firstError']>();
  const [conflict, setConflict] = useState<Task>();
  const { form, setForm, ...localForm } = useLocalForm(user, task);
  const { progress, problem, run } = useOperation(async (problemFound) => {
    if (problemFound.errors.length > 0)
      setForm((shown) => withServerErrors(shown, withDocumentPointers(problemFound.errors)));
    if (problemFound.status !== 412 && problemFound.code !== 'task_finished') return;
    const now = await obtainTask({ kind: 'task', view: task.view, id: task.id });
    if (now.outcome) onSaved(now);
    else setConflict(now);
  });
  const applyTo = (saved: Task) => {
    setForm((shown) => withLoaded(shown, initialData(saved)).state);
    setConflict(undefined);
    onSaved(saved);
  };

  return {
    form,
    setForm,
    progress,
    firstError,
    conflict,
    ...localForm,
    problem: conflict ? undefined : problem,
    resume: () => {
      if (conflict) applyTo(conflict);
    },
    save: () => run('Saving…', async () => applyTo(await saveDraft(task, dataOf(form)))),
    decide: async (decision) => {
      const isApproval = decision.outcome === 'approved';
      const checked = isApproval ? checkAll(form) : form;
      setForm(checked);
      if (isApproval && validationResultOf(checked) === 'invalid') {
        const id = nextError(checked, undefined, 1);
        if (id !== undefined) setFirstError({ id });
        return;
      }
      await run(isApproval ? 'Approving…' : 'Rejecting…', async () => {
        const decided = await decide(task, dataOf(checked), decision);
        removeDraft({ user, task: task.id });
        onDecided(decided);
      });
    },
  };
}

type LocalForm = Pick<TaskEditing, 'form' | 'setForm' | 'isKept' | 'isRestored' | 'discard'>;

/** Returns the form of a task with the edits that are stored in this browser, and stores new edits. */
function useLocalForm(user: string, task: Task): LocalForm {
  const [initialForm] = useState(() => formOf(task));
  const [form, setForm] = useState(() => restoreDraft({ user, task: task.id }, initialForm));
  const [isRestored, setRestored] = useState(form !== initialForm);
  const [isKept, setKept] = useState(true);
  const { data, loaded } = form;
  useEffect(() => {
    setKept(keepDraft({ user, task: task.id }, form));
    if (isUnchanged(form)) setRestored(false);
    // Opening and searching rows changes the form, but not the stored data.
  }, [user, task.id, data, loaded]);
  const discard = () => {
    setForm(formOf(task));
    setRestored(false);
  };
  return { form, setForm, isKept, isRestored, discard };
}

interface Operation extends Pick<TaskEditing, 'progress' | 'problem'> {
  readonly run: (label: string, work: () => Promise<void>) => Promise<void>;
}

/** Returns a function that runs an operation, and the progress and problem of the last operation. */
function useOperation(onProblem: (problem: ApiProblem) => Promise<void>): Operation {
  const [progress, setProgress] = useState<string>();
  const [problem, setProblem] = useState<ApiProblem>();
  const run = async (label: string, work: () => Promise<void>) => {
    setProgress(label);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      const problemFound = problemOf(error);
      setProblem(problemFound);
      await onProblem(problemFound).catch((followUpError: unknown) => setProblem(problemOf(followUpError)));
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, problem, run };
}

function initialData({ draft, formData }: Task): Json {
  return draft?.formData ?? formData;
}

function formOf(task: Task): FormState {
  const { schema, uiSchema, bindingSchema, dialect } = task;
  return openForm({ schema, uiSchema, bindingSchema, data: initialData(task) }, { dialect });
}

/** Returns the data to send; null for an empty form. */
function dataOf({ data }: FormState): Json {
  return data ?? null;
}

/** Returns errors with pointers into the document, which is the member `formData` of the request body. */
function withDocumentPointers(errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map(({ pointer, message }) => ({ pointer: pointer.replace(/^\/formData/, ''), message }));
}
