import { useEffect, useState } from 'react';
import {
  childOf,
  type FormState,
  isMembers,
  isUnchanged,
  type Json,
  jsonAt,
  type MergedDraft,
  openForm,
  parentPointer,
  pointerIn,
  sameJson,
  withLoaded,
} from '../form/model/index.js';
import type { ChangeNotes } from '../form/view/change-notes.js';
import { locale } from '../text/locale.js';
import { formatTimeOfDay } from '../text/span.js';
import { locatedClashes, type OpenClash, openClashesOf, withNewer } from './clashes.js';
import { keepClashes, keepDraft, removeDraft, restoreClashes, restoreDraft } from './local-draft.js';
import type { DraftChange, Task } from './server.js';
import { text } from './task-text.js';

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
function openTaskForm(task: Task): FormState {
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
function keepLocal(user: string, task: Task, { form, clashes }: UnsavedChanges): boolean {
  const owner = { user, task: task.id };
  if (!keepDraft(owner, asSaved(form, task))) return false;
  if (keepClashes(owner, form, clashes)) return true;
  // Without the clashes, the stored edits would overwrite the draft of the other person after a reload.
  removeDraft(owner);
  return false;
}

/** Returns the form with the unsaved changes that are stored in this browser, and their clashes with the draft. */
function restoreLocal(user: string, task: Task): UnsavedChanges {
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

/**
 * Returns who changed the fields of the saved draft, and when. A field with an unsaved change of this person has no
 * author, and neither has a container in which several fields changed.
 */
export function changeNotesOf({ data, form }: FormState, task: Task): ChangeNotes {
  const changes = changesByPointer(task.draft?.changes ?? []);
  if (changes.size === 0) return () => undefined;
  const saved = savedData(task);
  return (pointer) => {
    // Unsaved changes of this person may have moved the entries of lists.
    const location = pointerIn(saved, { document: data, pointer }, form.root);
    if (location === undefined) return undefined;
    const change = nearestChange(changes, location);
    if (!change || !sameJson(jsonAt(saved, location), jsonAt(data, pointer))) return undefined;
    return text('changedBy', { name: change.byName, time: formatTimeOfDay(Date.parse(change.at)) });
  };
}

function changesByPointer(changes: readonly DraftChange[]): ReadonlyMap<string, DraftChange> {
  return new Map(changes.flatMap((change) => change.pointers.map((pointer) => [pointer, change] as const)));
}

/** Returns the change of a location: its own, or that of the container with which it was added. */
function nearestChange(changes: ReadonlyMap<string, DraftChange>, location: string): DraftChange | undefined {
  for (let pointer = location; ; pointer = parentPointer(pointer)) {
    const change = changes.get(pointer);
    if (change || pointer === '') return change;
  }
}

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
