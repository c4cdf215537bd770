import { removeOfOthers, withStorage } from '../api/browser-storage.js';
import {
  draftOf,
  type FormState,
  holdsSecret,
  isUnchanged,
  type Json,
  type MergedDraft,
  readJson,
  sameJson,
  withDraft,
  writeJson,
} from '../form/model/index.js';
import { locatedClashes, type OpenClash } from './clashes.js';

// Unsaved edits stay in the local storage of the browser until the user saves or decides the task, so that a
// closed tab or a lost connection loses no edits.

/** User and task of the edits. */
interface DraftOwner {
  /** Id of the user, as in `GET /whoami`. */
  readonly user: string;
  readonly task: string;
}

const KEY_PREFIX = 'gatehouse.task.';

function keyOf({ user, task }: DraftOwner): string {
  return `${KEY_PREFIX}${user}.${task}`;
}

function clashKeyOf(owner: DraftOwner): string {
  return `${keyOf(owner)}.clashes`;
}

/**
 * Stores the edits of a task in this browser, or removes the stored edits if the form has none. Returns false
 * if the edits are not stored: the storage is unavailable, or the form contains a secret.
 */
export function keepDraft(owner: DraftOwner, state: FormState): boolean {
  if (isUnchanged(state)) {
    removeDraft(owner);
    return true;
  }
  if (holdsSecret(state)) {
    removeDraft(owner);
    return false;
  }
  return isDone((storage) => storage.setItem(keyOf(owner), draftOf(state)));
}

/** Returns the form with the edits that are stored in this browser, if there are any. */
export function restoreDraft(owner: DraftOwner, state: FormState): MergedDraft {
  const restored = withStorage((storage) => {
    const stored = storage.getItem(keyOf(owner));
    return stored === null ? undefined : withDraft(state, stored);
  });
  return restored ?? { state, conflicts: [] };
}

/**
 * Stores the clashes that wait for a choice with the edits of a task: the stored edits have the version of the other
 * person as their base, and would overwrite it. Returns false if they are not stored: the storage is unavailable, or
 * a value contains a secret.
 */
export function keepClashes(owner: DraftOwner, form: FormState, open: readonly OpenClash[]): boolean {
  const located = locatedClashes(form, open);
  if (located.length === 0) return isDone((storage) => storage.removeItem(clashKeyOf(owner)));
  const isSecret = located.some(({ theirs, shown }) => !sameJson(theirs, shown.theirs));
  return !isSecret && isDone((storage) => storage.setItem(clashKeyOf(owner), writeJson(open.map(membersOf))));
}

/** Returns the clashes that are stored in this browser. */
export function restoreClashes(owner: DraftOwner): readonly OpenClash[] {
  const restored = withStorage((storage) => {
    const stored = storage.getItem(clashKeyOf(owner));
    return stored === null ? undefined : (readJson(stored) as unknown as readonly OpenClash[]);
  });
  return restored ?? [];
}

/** Removes the stored edits of a task. */
export function removeDraft(owner: DraftOwner): void {
  withStorage((storage) => {
    storage.removeItem(keyOf(owner));
    storage.removeItem(clashKeyOf(owner));
  });
}

/** Returns true if this browser has stored edits of a task, of any user. */
export function hasStoredDraft(task: string): boolean {
  const isOfTask = (key: string) => key.startsWith(KEY_PREFIX) && key.endsWith(`.${task}`);
  return withStorage((storage) => Object.keys(storage).some(isOfTask)) ?? false;
}

function membersOf(clash: OpenClash): Json {
  const { pointer, by, document, base, ours, theirs } = clash;
  return Object.fromEntries<Json>(
    Object.entries({ pointer, by, document, base, ours, theirs }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}

/** Removes the stored edits of other users of this browser. */
export function removeDraftsOfOthers(user: string): void {
  removeOfOthers(KEY_PREFIX, user);
}

/** Runs an operation on the local storage; returns true if it succeeded. */
function isDone(use: (storage: Storage) => void): boolean {
  return (
    withStorage((storage) => {
      use(storage);
      return true;
    }) ?? false
  );
}
