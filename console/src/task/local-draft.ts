import {
  draftOf,
  type FormState,
  holdsSecret,
  isUnchanged,
  type MergedDraft,
  withDraft,
} from '../form/model/index.js';

// Unsaved edits stay in the local storage of the browser until the user saves or decides the task, so that a
// closed tab or a lost connection loses no edits.

/** User and task of the edits. */
export interface DraftOwner {
  /** Id of the user, as in `GET /whoami`. */
  readonly user: string;
  readonly task: string;
}

const KEY_PREFIX = 'gatehouse.task.';

function keyOf({ user, task }: DraftOwner): string {
  return `${KEY_PREFIX}${user}.${task}`;
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
  return withStorage((storage) => storage.setItem(keyOf(owner), draftOf(state)));
}

/** Returns the form with the edits that are stored in this browser, if there are any. */
export function restoreDraft(owner: DraftOwner, state: FormState): MergedDraft {
  let restored: MergedDraft = { state, conflicts: [] };
  withStorage((storage) => {
    const stored = storage.getItem(keyOf(owner));
    if (stored !== null) restored = withDraft(state, stored);
  });
  return restored;
}

/** Removes the stored edits of a task. */
export function removeDraft(owner: DraftOwner): void {
  withStorage((storage) => storage.removeItem(keyOf(owner)));
}

/** Removes the stored edits of other users of this browser. */
export function removeDraftsOfOthers(user: string): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(KEY_PREFIX) && !key.startsWith(`${KEY_PREFIX}${user}.`)) storage.removeItem(key);
  });
}

/**
 * Runs an operation on the local storage. Returns false if the storage is full, unavailable or contains invalid
 * data.
 */
function withStorage(use: (storage: Storage) => void): boolean {
  try {
    use(window.localStorage);
    return true;
  } catch {
    return false;
  }
}
