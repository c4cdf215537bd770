import { draftOf, type FormState, holdsSecret, isUnchanged, withDraft } from '../form/model/index.js';

// Unsaved edits stay in this browser until they are saved or decided, so that a closed tab or a lost
// connection loses nothing.

/** User and task of the edits. */
export interface DraftOwner {
  /** Id of the user, as in `GET /whoami`. */
  readonly user: string;
  readonly task: string;
}

const PREFIX = 'gatehouse.task.';

function keyOf({ user, task }: DraftOwner): string {
  return `${PREFIX}${user}.${task}`;
}

/**
 * Keeps the edits of a task in this browser; without edits, removes them. Returns false if they are not kept:
 * the storage may be unavailable, and forms that contain a secret are never stored.
 */
export function keepLocally(owner: DraftOwner, state: FormState): boolean {
  if (isUnchanged(state)) {
    forgetLocally(owner);
    return true;
  }
  if (holdsSecret(state)) {
    forgetLocally(owner);
    return false;
  }
  return withStorage((storage) => storage.setItem(keyOf(owner), draftOf(state)));
}

/** Restores edits that were kept in this browser, if there are any. */
export function takeUpLocal(owner: DraftOwner, state: FormState): FormState {
  let taken = state;
  withStorage((storage) => {
    const kept = storage.getItem(keyOf(owner));
    if (kept !== null) taken = withDraft(state, kept).state;
  });
  return taken;
}

/** Removes the kept edits of a task. */
export function forgetLocally(owner: DraftOwner): void {
  withStorage((storage) => storage.removeItem(keyOf(owner)));
}

/** Removes edits of other users, who were signed in before. */
export function forgetOthers(user: string): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}${user}.`)) storage.removeItem(key);
  });
}

/**
 * Returns false if the storage is full, unavailable or contains invalid data; none of this prevents editing.
 */
function withStorage(use: (storage: Storage) => void): boolean {
  try {
    use(window.localStorage);
    return true;
  } catch {
    return false;
  }
}
