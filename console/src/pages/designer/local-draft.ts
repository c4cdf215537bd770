import { isJsonObject } from '../../../../src/json/json-object.js';
import { removeOfOthers, withStorage } from '../../api/browser-storage.js';
import { draftOf, type FormDraft, type StoredForm } from '../../design/draft.js';

// Unsaved changes of a form stay in the local storage of the browser until the user saves or discards them.

/** User and form of the changes. */
interface DraftOwner {
  /** Id of the user, as in `GET /whoami`. */
  readonly user: string;
  readonly form: Pick<StoredForm, 'id' | 'lastUpdated'>;
}

const KEY_PREFIX = 'gatehouse.design.';

function keyOf({ user, form }: DraftOwner): string {
  return `${KEY_PREFIX}${user}.${form.id}`;
}

/** Stores unsaved changes in this browser. Changes that exceed the storage are not stored. */
export function storeDraft(owner: DraftOwner, draft: FormDraft): void {
  withStorage((storage) =>
    storage.setItem(keyOf(owner), JSON.stringify({ lastUpdated: owner.form.lastUpdated, draft })),
  );
}

/** Returns the stored changes of the user for the same version of the form; undefined without stored changes. */
export function storedDraft(owner: DraftOwner): FormDraft | undefined {
  const stored = withStorage((storage): unknown => JSON.parse(storage.getItem(keyOf(owner)) ?? 'null'));
  if (!isJsonObject(stored) || stored['lastUpdated'] !== owner.form.lastUpdated) return undefined;
  return isJsonObject(stored['draft']) ? draftOf(stored['draft']) : undefined;
}

/** Removes the stored changes. */
export function removeDraft(owner: DraftOwner): void {
  withStorage((storage) => storage.removeItem(keyOf(owner)));
}

/**
 * Removes the stored changes of other users of this browser: a user who saves a form grants its queries, so nobody
 * may save the changes of another person unseen.
 */
export function removeDraftsOfOthers(user: string): void {
  removeOfOthers(KEY_PREFIX, user);
}
