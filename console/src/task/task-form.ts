import {
  childOf,
  type FormState,
  isMembers,
  isUnchanged,
  type Json,
  type MergedDraft,
  openForm,
  withLoaded,
} from '../form/model/index.js';
import { locale } from '../text/locale.js';
import { locatedClashes, type OpenClash, openClashesOf, withNewer } from './clashes.js';
import { keepClashes, keepDraft, removeDraft, restoreClashes, restoreDraft } from './local-draft.js';
import type { Task } from './server.js';

// A task has three documents: what the workflow proposed (`formData`), the draft that was saved last, and the
// entered data of the form. The form compares with the proposal; unsaved changes are compared with the draft.

/** The form of each task without a draft. */
const PROPOSED = new WeakMap<Task, FormState>();

/** Returns the form with what was proposed, and with the defaults that the form fills in. */
function proposedForm(task: Task): FormState {
  const known = PROPOSED.get(task);
  if (known) return known;
  const { schema, uiSchema, bindingSchema, dialect, formData, partial: isPartial = false } = task;
  const options = { dialect, isPartial, computes: true, language: locale() };
  const opened = openForm({ schema, uiSchema, bindingSchema, data: formData }, options);
  PROPOSED.set(task, opened);
  return opened;
}

/** Returns the draft, or the proposal of a task without a draft. */
export function savedData(task: Task): Json {
  return task.draft ? task.draft.formData : (proposedForm(task).data ?? null);
}

/** Opens the form of a task with the data that was saved last. Its changes are those to the proposal. */
export function openTaskForm(task: Task): FormState {
  const proposed = proposedForm(task);
  if (!task.draft) return proposed;
  const { formData } = task.draft;
  return { ...proposed, data: formData, loaded: baseOf(proposed.loaded, task.formData, formData) };
}

/** Returns a proposal without what the form filled in and the draft lacks: that is no change of a person. */
function baseOf(filled: Json | undefined, given: Json | undefined, draft: Json): Json | undefined {
  if (!isMembers(filled) || !isMembers(draft)) return filled;
  const members = Object.entries(filled).flatMap(([name, value]) => {
    const [own, drafted] = [childOf(given, name), childOf(draft, name)];
    if (own === undefined && drafted === undefined) return [];
    return [[name, drafted === undefined ? value : baseOf(value, own, drafted)] as const];
  });
  return Object.fromEntries(members) as Json;
}

/** Returns true if the entered data is not saved. */
export function hasUnsaved(form: FormState, task: Task): boolean {
  return !isUnchanged(asSaved(form, task));
}

/** Unsaved changes of a task: the form, and the clashes that wait for a choice. */
interface UnsavedChanges {
  readonly form: FormState;
  readonly clashes: readonly OpenClash[];
}

/** Stores the unsaved changes in this browser. Returns false if they cannot be stored. */
export function keepLocal(user: string, task: Task, { form, clashes }: UnsavedChanges): boolean {
  const owner = { user, task: task.id };
  if (!keepDraft(owner, asSaved(form, task))) return false;
  if (keepClashes(owner, form, clashes)) return true;
  // Without the clashes, the stored edits would overwrite the draft of the other person after a reload.
  removeDraft(owner);
  return false;
}

/** Returns the form with the unsaved changes that are stored in this browser, and their clashes with the draft. */
export function restoreLocal(user: string, task: Task): UnsavedChanges {
  const owner = { user, task: task.id };
  const form = openTaskForm(task);
  const { state, conflicts } = restoreDraft(owner, asSaved(form, task));
  const restored = { ...state, loaded: form.loaded };
  const by = task.draft?.byName ?? task.draft?.by ?? task.lastUpdatedByName;
  const clashes = openClashesOf(conflicts, { by, document: restored.data });
  const open = withNewer(restoreClashes(owner), { state: restored, clashes }, savedData(task));
  return { form: restored, clashes: locatedClashes(restored, open).length > 0 ? open : [] };
}

/** Applies the unsaved changes to a newer version of the task that another person saved. */
export function mergeWith(form: FormState, seen: Task, newer: Task): MergedDraft {
  const { state, conflicts } = withLoaded(asSaved(form, seen), savedData(newer));
  return { state: { ...state, loaded: form.loaded }, conflicts };
}

/** Returns the form as if the saved data had been loaded. */
function asSaved(form: FormState, task: Task): FormState {
  return { ...form, loaded: savedData(task) };
}

/** Returns true if no member of the form can be edited, as in the approval of a call: there is nothing to save. */
export function isFixed({ schema }: Task): boolean {
  const { properties } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> };
  const members = Object.values(properties ?? {});
  return (
    members.length > 0 && members.every((member) => (member as { readOnly?: unknown }).readOnly === true)
  );
}
