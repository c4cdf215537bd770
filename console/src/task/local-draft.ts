import { draftOf, type FormState, holdsSecret, isUnchanged, withDraft } from '../form/model/index.js';

// What was typed stays in this browser until it is saved or decided: a closed tab or a lost connection costs nothing.

/** Whose edits, and of which task. */
export interface DraftOwner {
  /** Id of the person, as `GET /whoami` tells it. */
  readonly user: string;
  readonly task: string;
}

const PREFIX = 'gatehouse.task.';

function keyOf({ user, task }: DraftOwner): string {
  return `${PREFIX}${user}.${task}`;
}

/**
 * Keeps the edits of a task in this browser, and nothing when there are none. False where nothing is kept: the browser may be
 * closed to it, and a secret does not stay in a browser at all.
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

/** Takes up what was left in this browser, if there is something. */
export function takeUpLocal(owner: DraftOwner, state: FormState): FormState {
  let taken = state;
  withStorage((storage) => {
    const kept = storage.getItem(keyOf(owner));
    if (kept !== null) taken = withDraft(state, kept).state;
  });
  return taken;
}

/** Forgets the edits of a task. */
export function forgetLocally(owner: DraftOwner): void {
  withStorage((storage) => storage.removeItem(keyOf(owner)));
}

/** Forgets what others left in this browser, who were signed in before. */
export function forgetOthers(user: string): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}${user}.`)) storage.removeItem(key);
  });
}

/** False when the storage is full or closed to pages, or holds something strange: no reason to stop anybody. */
function withStorage(use: (storage: Storage) => void): boolean {
  try {
    use(window.localStorage);
    return true;
  } catch {
    return false;
  }
}
