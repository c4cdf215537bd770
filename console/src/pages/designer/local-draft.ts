import { isJsonObject } from '../../../../src/core/json-object.js';
import { draftOf, type FormDraft, type StoredForm } from '../../design/draft.js';

const keyOf = (id: string): string => `gatehouse.design.${id}`;

/** Keeps changes in this browser until they are saved. Changes that exceed the storage are not kept. */
export function keepDraft({ id, lastUpdated }: StoredForm, draft: FormDraft): void {
  try {
    window.localStorage.setItem(keyOf(id), JSON.stringify({ lastUpdated, draft }));
  } catch {
    // Storage is full or disabled: the draft lasts as long as the page.
  }
}

/** Returns the kept changes for the same version of the form; undefined if there are none. */
export function keptDraft({ id, lastUpdated }: StoredForm): FormDraft | undefined {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(keyOf(id)) ?? 'null');
    if (!isJsonObject(kept) || kept['lastUpdated'] !== lastUpdated || !isJsonObject(kept['draft']))
      return undefined;
    return draftOf(kept['draft']);
  } catch {
    return undefined;
  }
}

/** Removes the kept changes. */
export function forgetDraft(id: string): void {
  window.localStorage.removeItem(keyOf(id));
}
