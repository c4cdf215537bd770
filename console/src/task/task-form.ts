import {
  applyEdit,
  type Conflict,
  type FormState,
  isList,
  isUnchanged,
  type Json,
  type MergedDraft,
  openForm,
  rowAt,
  withLoaded,
  withoutSecrets,
} from '../form/model/index.js';
import { textOf } from '../text/text.js';
import { keepDraft, restoreDraft } from './local-draft.js';
import type { Task } from './server.js';

const text = textOf('task');

// A task has three documents: what the workflow proposed (`formData`), the draft that was saved last, and the
// entered data of the form. The form compares with the proposal; unsaved changes are compared with the draft.

/** Returns the draft, or the proposal of a task without a draft. */
export function savedData({ draft, formData }: Task): Json {
  return draft?.formData ?? formData;
}

/** Opens the form of a task with the data that was saved last. Its changes are those to the proposal. */
export function openTaskForm(task: Task): FormState {
  const { schema, uiSchema, bindingSchema, dialect, formData } = task;
  const opened = openForm({ schema, uiSchema, bindingSchema, data: formData }, { dialect });
  return { ...opened, data: savedData(task) };
}

/** Returns true if the entered data is not saved. */
export function hasUnsaved(form: FormState, task: Task): boolean {
  return !isUnchanged(asSaved(form, task));
}

/** Stores the unsaved changes in this browser. Returns false if they cannot be stored. */
export function keepLocal(user: string, task: Task, form: FormState): boolean {
  return keepDraft({ user, task: task.id }, asSaved(form, task));
}

/** Returns the form with the unsaved changes that are stored in this browser, and their conflicts with the draft. */
export function restoreLocal(user: string, task: Task): MergedDraft {
  const form = openTaskForm(task);
  const { state, conflicts } = restoreDraft({ user, task: task.id }, asSaved(form, task));
  return { state: { ...state, loaded: form.loaded }, conflicts };
}

/** Applies the unsaved changes to a newer version of the task that another person saved. */
export function mergeWith(form: FormState, seen: Task, newer: Task): MergedDraft {
  const { state, conflicts } = withLoaded(asSaved(form, seen), savedData(newer));
  return { state: { ...state, loaded: form.loaded }, conflicts };
}

/** The value that a person chooses for a clash: the own one, that of the other person, or the proposed one. */
export type ClashChoice = 'mine' | 'theirs' | 'proposed';

/** A value that two people changed differently. */
export interface Clash extends Conflict {
  /** Titles from the root to the field. */
  readonly title: string;
  readonly proposed: Json | undefined;
  /** The values as people may see them: without secrets. */
  readonly shown: Readonly<Record<ClashChoice, Json | undefined>>;
}

/** Returns the clashes of a merge, for people. */
export function clashesOf({ state, conflicts }: MergedDraft): readonly Clash[] {
  return conflicts.map((conflict) => {
    const row = rowAt(state, conflict.pointer);
    const proposed = proposedAt(state, conflict.pointer);
    const shownOf = (value: Json | undefined): Json | undefined =>
      value === undefined
        ? undefined
        : withoutSecrets(
            applyEdit(state, { kind: 'set', pointer: conflict.pointer, value }),
            conflict.pointer,
            text('hidden'),
          );
    const shown = {
      mine: shownOf(conflict.ours),
      theirs: shownOf(conflict.theirs),
      proposed: shownOf(proposed),
    };
    return { ...conflict, title: row?.title ?? '', proposed, shown };
  });
}

/** Returns the proposed value of a location; undefined if the proposal has none. */
function proposedAt(state: FormState, pointer: string): Json | undefined {
  const reverted = applyEdit(state, { kind: 'revert', pointer });
  const parent = rowAt(state, pointer)?.parent;
  const lengthIn = (each: FormState): number => {
    const list = parent === undefined ? undefined : rowAt(each, parent)?.value;
    return isList(list) ? list.length : 0;
  };
  // Without the entry in the proposal, the next entry of the list has this pointer.
  return lengthIn(reverted) < lengthIn(state) ? undefined : rowAt(reverted, pointer)?.value;
}

/** Returns the merged form with the chosen value of each clash. */
export function withChoices(
  merged: FormState,
  clashes: readonly Clash[],
  choices: Readonly<Record<string, ClashChoice>>,
): FormState {
  // In reverse order, because the removal of a list entry changes the indexes of later entries.
  return clashes.toReversed().reduce((state, clash) => {
    const value = { mine: clash.ours, theirs: clash.theirs, proposed: clash.proposed }[
      choices[clash.pointer] ?? 'mine'
    ];
    const { pointer } = clash;
    return applyEdit(
      state,
      value === undefined ? { kind: 'remove', pointer } : { kind: 'set', pointer, value },
    );
  }, merged);
}

/** Returns the form as if the saved data had been loaded. */
function asSaved(form: FormState, task: Task): FormState {
  return { ...form, loaded: savedData(task) };
}
