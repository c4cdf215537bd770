import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiProblem, ProblemError } from '../api/problem.js';
import { useOperation } from '../api/use-operation.js';
import { useRetry } from '../api/use-retry.js';
import {
  checkAll,
  type FormState,
  type Json,
  rowIdOf,
  validationResultOf,
  withServerErrors,
} from '../form/model/index.js';
import {
  type Clash,
  type ClashChoice,
  locatedClashes,
  openClashesOf,
  withChoices,
  withNewer,
} from './clashes.js';
import { removeDraft } from './local-draft.js';
import { decide, type Decision, obtainTask, saveDraft, type Task } from './server.js';
import { hasUnsaved, type LocalForm, mergeWith, savedData, useLocalForm } from './task-form.js';
import { text } from './task-text.js';
import { useTaskEvents } from './use-task-events.js';

export interface OpenTaskProps {
  /** Id of the current user. */
  readonly user: string;
  readonly task: Task;
  readonly onSaved: (task: Task) => void;
  readonly onDecided: (task: Task) => void;
}

/** What another person saved while this person edited. */
interface OthersDraft {
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
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
  /** Values that both changed, and that wait for a choice before the task can be saved or decided. */
  readonly clashes: readonly Clash[];
  /** The number of attempts to save or decide the task while clashes are open. */
  readonly refusals: number;
  /** Applies the chosen values of the clashes. */
  readonly choose: (choices: Readonly<Record<string, ClashChoice>>) => void;
  /** Hides the notice of the other person's draft. */
  readonly dismiss: () => void;
  /** Names of the other people who have the task open. */
  readonly people: readonly string[];
  /** True while the server does not answer. */
  readonly isLost: boolean;
  /** End of the current token, in milliseconds since 1970. */
  readonly tokenEnds: number | undefined;
  readonly save: (form?: FormState) => Promise<void>;
  /** Returns true if no clash is open. Otherwise the notice of the clashes gets the focus. */
  readonly isMerged: () => boolean;
  /** Checks the form. Returns false, and goes to the first error, if it has errors. */
  readonly check: () => boolean;
  readonly decide: (decision: Decision) => Promise<void>;
}

export function useTask({ user, task, onSaved, onDecided }: OpenTaskProps): TaskEditing {
  const [goTo, setGoTo] = useState<TaskEditing['goTo']>();
  const [hasErrors, setErrors] = useState(false);
  const [isDraftSaved, setDraftSaved] = useState(false);
  const local = useLocalForm(user, task);
  const { form, setForm, setClashes } = local;
  const [othersDraft, setOthersDraft] = useState<OthersDraft>();
  const clashes = useMemo(() => locatedClashes(form, local.clashes), [form, local.clashes]);
  const [refusals, setRefusals] = useState(0);
  /** Returns true if no clash is open. Otherwise the notice of the clashes gets the focus. */
  const isMerged = (): boolean => {
    if (clashes.length > 0) setRefusals(refusals + 1);
    return clashes.length === 0;
  };
  const isUnsaved = hasUnsaved(form, task);

  // The person may edit while a reply is on its way.
  const latest = useRef({ task, form, clashes: local.clashes });
  latest.current = { task, form, clashes: local.clashes };
  const adopt = (newer: Task) => {
    const seen = latest.current.task;
    if (newer.outcome) {
      onSaved(newer);
      return;
    }
    if (newer.revision <= seen.revision) return;
    const { state, conflicts } = mergeWith(latest.current.form, seen, newer);
    const { lastUpdatedByName: by, lastUpdated: at } = newer;
    const found = openClashesOf(conflicts, { by, document: state.data });
    setForm(state);
    setClashes(withNewer(latest.current.clashes, { state, clashes: found }, savedData(newer)));
    setOthersDraft({ by, at });
    setDraftSaved(false);
    operation.clearProblem();
    onSaved(newer);
  };
  const follow = async () => adopt(await obtainTask({ kind: 'task', view: task.view, id: task.id }));
  /** Shows the errors of the server at their fields, and goes to the first one. */
  const showErrors = (errors: readonly ProblemError[]) => {
    setForm((shown) => withServerErrors(shown, errors));
    const id = rowIdOf(latest.current.form, errors[0]?.pointer ?? '');
    if (id !== undefined) setGoTo({ id });
  };
  const operation = useOperation(async ({ status, code, errors }) => {
    if (errors.length > 0) showErrors(withDocumentPointers(errors));
    if (status === 412 || code === 'task_finished') await follow();
  });

  const { progress } = operation;
  const readAgain = () => {
    // The reply to a running change is newer. A failure shows itself at the next action.
    if (progress === undefined) void follow().catch(() => undefined);
  };
  const event = useTaskEvents(task.id, readAgain);
  const isLost = useRetry(readAgain);
  const isNewer = event !== undefined && event.revision > task.revision;
  useEffect(() => {
    if (isNewer) readAgain();
  }, [isNewer, event?.revision, progress]);

  return {
    ...local,
    people: event?.people ?? [],
    isLost,
    tokenEnds: event?.tokenEnds ? Date.parse(event.tokenEnds) : undefined,
    progress,
    problem: operation.problem,
    goTo,
    setGoTo,
    hasErrors: hasErrors && form.errors.length > 0,
    isUnsaved,
    isDraftSaved: isDraftSaved && !isUnsaved,
    othersDraft,
    clashes,
    refusals,
    choose: (choices) => {
      setForm(withChoices(form, clashes, choices));
      setClashes([]);
      setOthersDraft(undefined);
    },
    dismiss: () => setOthersDraft(undefined),
    discard: () => {
      local.discard();
      setOthersDraft(undefined);
    },
    save: async (shown = form) => {
      if (!isMerged()) return;
      await operation.run(async () => {
        const saved = await saveDraft(task, dataOf(shown));
        setDraftSaved(true);
        setOthersDraft(undefined);
        onSaved(saved);
      }, text('saving'));
    },
    isMerged,
    check: () => {
      const checked = checkAll(form);
      setForm(checked);
      const isInvalid = validationResultOf(checked) === 'invalid';
      setErrors(isInvalid);
      return !isInvalid;
    },
    decide: async (decision) => {
      const label = decision.outcome === 'approved' ? text('approving') : text('rejecting');
      await operation.run(async () => {
        const decided = await decide(task, dataOf(form), decision);
        removeDraft({ user, task: task.id });
        onDecided(decided);
      }, label);
    },
  };
}

/** Returns the data to send; null for an empty form. */
function dataOf({ data }: FormState): Json {
  return data ?? null;
}

/** Returns errors with pointers into the document, which is the member `formData` of the request body. */
function withDocumentPointers(errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map(({ pointer, message }) => ({ pointer: pointer.replace(/^\/formData/, ''), message }));
}
