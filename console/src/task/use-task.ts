import { useEffect, useRef, useState } from 'react';
import { type ApiProblem, type ProblemError } from '../api/problem.js';
import {
  checkAll,
  type FormState,
  type Json,
  nextError,
  validationResultOf,
  withServerErrors,
} from '../form/model/index.js';
import { textOf } from '../text/text.js';
import { removeDraft } from './local-draft.js';
import { decide, type Decision, obtainTask, saveDraft, type Task } from './server.js';
import { type Clash, type ClashChoice, clashesOf, hasUnsaved, mergeWith, withChoices } from './task-form.js';
import { type LocalForm, useLocalForm } from './use-local-form.js';
import { useOperation } from './use-operation.js';
import { useTaskEvents } from './use-task-events.js';

export interface OpenTaskProps {
  /** Id of the current user. */
  readonly user: string;
  readonly task: Task;
  readonly onSaved: (task: Task) => void;
  readonly onDecided: (task: Task) => void;
}

/** What another person saved while this person edited. */
export interface OthersDraft {
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  /** Values that both changed, which wait for a choice. Without any, the changes of both are merged. */
  readonly clashes: readonly Clash[];
}

/** State and operations of a task that is being edited. */
export interface TaskEditing extends LocalForm {
  /** Text of the running operation. */
  readonly progress: string | undefined;
  readonly problem: ApiProblem | undefined;
  /** The row that gets the focus. */
  readonly goTo: { readonly id: string } | undefined;
  readonly setGoTo: (row: { readonly id: string } | undefined) => void;
  /** True after an action that found errors in the form. */
  readonly hasErrors: boolean;
  /** True if the entered data is not saved. */
  readonly isUnsaved: boolean;
  /** True from a saved draft to the next change. */
  readonly isDraftSaved: boolean;
  readonly othersDraft: OthersDraft | undefined;
  /** Applies the chosen values of the clashes. */
  readonly choose: (choices: Readonly<Record<string, ClashChoice>>) => void;
  /** Hides the notice of the other person's draft. */
  readonly dismiss: () => void;
  /** Names of the other people who have the task open. */
  readonly people: readonly string[];
  /** End of the current token, in milliseconds since 1970. */
  readonly tokenEnds: number | undefined;
  readonly save: (form?: FormState) => Promise<void>;
  /** Checks the form. Returns false, and goes to the first error, if it has errors. */
  readonly check: () => boolean;
  readonly decide: (decision: Decision) => Promise<void>;
}

const text = textOf('task');

/** Returns the state and operations of an open task. */
export function useTask({ user, task, onSaved, onDecided }: OpenTaskProps): TaskEditing {
  const [goTo, setGoTo] = useState<TaskEditing['goTo']>();
  const [hasErrors, setErrors] = useState(false);
  const [isDraftSaved, setDraftSaved] = useState(false);
  const local = useLocalForm(user, task);
  const { form, setForm } = local;
  const [othersDraft, setOthersDraft] = useState(() => restoredDraft(task, local.restoredClashes));
  const isUnsaved = hasUnsaved(form, task);

  // The person may edit while a reply is on its way.
  const latest = useRef({ task, form });
  latest.current = { task, form };
  const adopt = (newer: Task) => {
    const seen = latest.current.task;
    if (newer.outcome) {
      onSaved(newer);
      return;
    }
    if (newer.revision <= seen.revision) return;
    const merged = mergeWith(latest.current.form, seen, newer);
    const { lastUpdatedByName: by, lastUpdated: at } = newer;
    setForm(merged.state);
    setOthersDraft({ by, at, clashes: clashesOf(merged) });
    setDraftSaved(false);
    operation.clearProblem();
    onSaved(newer);
  };
  const follow = async () => adopt(await obtainTask({ kind: 'task', view: task.view, id: task.id }));
  const operation = useOperation(async ({ status, code, errors }) => {
    if (errors.length > 0) setForm((shown) => withServerErrors(shown, withDocumentPointers(errors)));
    if (status === 412 || code === 'task_finished') await follow();
  });

  const { progress } = operation;
  const readAgain = () => {
    // The reply to a running change is newer. A failure shows itself at the next action.
    if (progress === undefined) void follow().catch(() => undefined);
  };
  const event = useTaskEvents(task.id, readAgain);
  const isNewer = event !== undefined && event.revision > task.revision;
  useEffect(() => {
    if (isNewer) readAgain();
  }, [isNewer, event?.revision, progress]);

  return {
    ...local,
    people: event?.people ?? [],
    tokenEnds: event && Date.parse(event.tokenEnds),
    progress,
    problem: operation.problem,
    goTo,
    setGoTo,
    hasErrors: hasErrors && form.errors.length > 0,
    isUnsaved,
    isDraftSaved: isDraftSaved && !isUnsaved,
    othersDraft,
    choose: (choices) => {
      if (!othersDraft) return;
      setForm((shown) => withChoices(shown, othersDraft.clashes, choices));
      setOthersDraft(undefined);
    },
    dismiss: () => setOthersDraft(undefined),
    save: (shown = form) =>
      operation.run(text('saving'), async () => {
        const saved = await saveDraft(task, dataOf(shown));
        setDraftSaved(true);
        setOthersDraft(undefined);
        onSaved(saved);
      }),
    check: () => {
      const checked = checkAll(form);
      setForm(checked);
      const isInvalid = validationResultOf(checked) === 'invalid';
      setErrors(isInvalid);
      return !isInvalid;
    },
    decide: async (decision) => {
      const label = decision.outcome === 'approved' ? text('approving') : text('rejecting');
      await operation.run(label, async () => {
        const decided = await decide(task, dataOf(form), decision);
        removeDraft({ user, task: task.id });
        onDecided(decided);
      });
    },
  };
}

/** Returns the notice of clashes with the changes of an earlier visit. */
function restoredDraft({ draft }: Task, clashes: readonly Clash[]): OthersDraft | undefined {
  return draft && clashes.length > 0 ? { by: draft.byName ?? draft.by, at: draft.at, clashes } : undefined;
}

/** Returns the row of the first error. */
export function firstErrorOf(form: FormState): { readonly id: string } | undefined {
  const id = nextError(form, undefined, 1);
  return id === undefined ? undefined : { id };
}

/** Returns the data to send; null for an empty form. */
function dataOf({ data }: FormState): Json {
  return data ?? null;
}

/** Returns errors with pointers into the document, which is the member `formData` of the request body. */
function withDocumentPointers(errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map(({ pointer, message }) => ({ pointer: pointer.replace(/^\/formData/, ''), message }));
}
