import { useEffect, useState } from 'react';
import { type ApiProblem, type ProblemError, problemOf } from '../api/problem.js';
import {
  checkAll,
  type FormState,
  isUnchanged,
  type Json,
  nextError,
  openForm,
  verdictOf,
  withLoaded,
  withServerErrors,
} from '../form/model/index.js';
import { forgetLocally, keepLocally, takeUpLocal } from './local-draft.js';
import type { OpenTaskProps } from './open-task.js';
import { decide, type Decision, obtainTask, saveDraft, type Task } from './server.js';

/** A task while somebody works on it. */
export interface WorkOnTask {
  readonly form: FormState;
  readonly setForm: (form: FormState | ((form: FormState) => FormState)) => void;
  /** What is under way, in words. */
  readonly doing: string | undefined;
  readonly problem: ApiProblem | undefined;
  /** The first row with an error, after an approval that could not be. */
  readonly wrong: { readonly id: string } | undefined;
  /** False where the browser does not keep what was changed. */
  readonly isKept: boolean;
  /** True when changes were found that were never saved. */
  readonly isTakenUp: boolean;
  /** Drops all that was changed. */
  readonly discard: () => void;
  /** The task as somebody else saved it meanwhile. */
  readonly conflict: Task | undefined;
  /** Puts the changes on top of those of the other person. */
  readonly resume: () => void;
  readonly save: () => Promise<void>;
  readonly decide: (decision: Decision) => Promise<void>;
}

/** Everything that can be done with an open task. */
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
      if (isApproval && verdictOf(checked) === 'invalid') {
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

/** The form of a task, with what the person left in this browser; what is changed is kept there. */
function useLocalForm(user: string, task: Task): LocalForm {
  const [asked] = useState(() => formOf(task));
  const [form, setForm] = useState(() => takeUpLocal({ user, task: task.id }, asked));
  const [isTakenUp, setTakenUp] = useState(form !== asked);
  const [isKept, setKept] = useState(true);
  const { data, loaded } = form;
  useEffect(() => {
    setKept(keepLocally({ user, task: task.id }, form));
    if (isUnchanged(form)) setTakenUp(false);
    // Opening and looking for rows changes nothing that is kept.
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

/** Does one thing after the other, and tells why one failed. */
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

/** What is sent: a form in which nothing stands is null. */
function dataOf({ data }: FormState): Json {
  return data ?? null;
}

/** The server points into the body that it was sent, whose member `formData` the document is. */
function inDocument(errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map(({ pointer, message }) => ({ pointer: pointer.replace(/^\/formData/, ''), message }));
}
