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
import { forgetLocally, keepLocally, takeUpLocal } from './local-draft.js';
import { decide, type Decision, obtainTask, saveDraft, type Task } from './server.js';

export interface OpenTaskProps {
  /** Id of the current user. */
  readonly user: string;
  readonly task: Task;
  readonly onSaved: (task: Task) => void;
  readonly onDecided: (task: Task) => void;
}

/** State and operations of a task that is being edited. */
export interface WorkOnTask {
  readonly form: FormState;
  readonly setForm: (form: FormState | ((form: FormState) => FormState)) => void;
  /** Text for the running operation. */
  readonly doing: string | undefined;
  readonly problem: ApiProblem | undefined;
  /** The first row with an error, after an approval that failed. */
  readonly wrong: { readonly id: string } | undefined;
  /** False if the browser does not keep the edits. */
  readonly isKept: boolean;
  /** True if unsaved edits were restored. */
  readonly isTakenUp: boolean;
  /** Discards all edits. */
  readonly discard: () => void;
  /** The task as another user has saved it meanwhile. */
  readonly conflict: Task | undefined;
  /** Applies the edits to the other user's version. */
  readonly resume: () => void;
  readonly save: () => Promise<void>;
  readonly decide: (decision: Decision) => Promise<void>;
}

/** Returns the state and operations of an open task. */
export function useTask({ user, task, onSaved, onDecided }: OpenTaskProps): WorkOnTask {
  const [wrong, setWrong] = useState<WorkOnTask['wrong']>();
  const [conflict, setConflict] = useState<Task>();
  const { form, setForm, ...local } = useLocalForm(user, task);
  const { doing, problem, attempt } = useAttempt(async (found) => {
    if (found.errors.length > 0) setForm((shown) => withServerErrors(shown, inDocument(found.errors)));
    if (found.status !== 412 && found.code !== 'task_finished') return;
    const now = await obtainTask({ kind: 'task', view: task.view, id: task.id });
    if (now.outcome) onSaved(now);
    else setConflict(now);
  });
  const putOnto = (saved: Task) => {
    setForm((shown) => withLoaded(shown, initialTask(saved)).state);
    setConflict(undefined);
    onSaved(saved);
  };

  return {
    form,
    setForm,
    doing,
    wrong,
    conflict,
    ...local,
    problem: conflict ? undefined : problem,
    resume: () => {
      if (conflict) putOnto(conflict);
    },
    save: () => attempt('Saving…', async () => putOnto(await saveDraft(task, dataOf(form)))),
    decide: async (decision) => {
      const isApproval = decision.outcome === 'approved';
      const checked = isApproval ? checkAll(form) : form;
      setForm(checked);
      if (isApproval && validationResultOf(checked) === 'invalid') {
        const id = nextError(checked, undefined, 1);
        if (id !== undefined) setWrong({ id });
        return;
      }
      await attempt(isApproval ? 'Approving…' : 'Rejecting…', async () => {
        const decided = await decide(task, dataOf(checked), decision);
        forgetLocally({ user, task: task.id });
        onDecided(decided);
      });
    },
  };
}

type LocalForm = Pick<WorkOnTask, 'form' | 'setForm' | 'isKept' | 'isTakenUp' | 'discard'>;

/** The form of a task with the edits that were kept in this browser; new edits are kept there too. */
function useLocalForm(user: string, task: Task): LocalForm {
  const [asked] = useState(() => formOf(task));
  const [form, setForm] = useState(() => takeUpLocal({ user, task: task.id }, asked));
  const [isTakenUp, setTakenUp] = useState(form !== asked);
  const [isKept, setKept] = useState(true);
  const { data, loaded } = form;
  useEffect(() => {
    setKept(keepLocally({ user, task: task.id }, form));
    if (isUnchanged(form)) setTakenUp(false);
    // Opening and searching rows does not change the kept data.
  }, [user, task.id, data, loaded]);
  const discard = () => {
    setForm(formOf(task));
    setTakenUp(false);
  };
  return { form, setForm, isKept, isTakenUp, discard };
}

interface Attempt extends Pick<WorkOnTask, 'doing' | 'problem'> {
  readonly attempt: (words: string, work: () => Promise<void>) => Promise<void>;
}

/** Runs operations one at a time, and keeps the problem of a failed one. */
function useAttempt(onProblem: (problem: ApiProblem) => Promise<void>): Attempt {
  const [doing, setDoing] = useState<string>();
  const [problem, setProblem] = useState<ApiProblem>();
  const attempt = async (words: string, work: () => Promise<void>) => {
    setDoing(words);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      const found = problemOf(error);
      setProblem(found);
      await onProblem(found).catch((later: unknown) => setProblem(problemOf(later)));
    } finally {
      setDoing(undefined);
    }
  };
  return { doing, problem, attempt };
}

function initialTask({ draft, formData: asked }: Task): Json {
  return draft?.formData ?? asked;
}

function formOf(task: Task): FormState {
  const { schema, uiSchema, bindingSchema, dialect } = task;
  return openForm({ schema, uiSchema, bindingSchema, data: initialTask(task) }, { dialect });
}

/** Returns the data to send; null for an empty form. */
function dataOf({ data }: FormState): Json {
  return data ?? null;
}

/** Converts error pointers: they refer to the request body, whose member `formData` is the document. */
function inDocument(errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map(({ pointer, message }) => ({ pointer: pointer.replace(/^\/formData/, ''), message }));
}
