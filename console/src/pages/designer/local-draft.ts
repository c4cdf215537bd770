import { isJsonObject } from '../../../../src/core/json-object.js';
import { draftOf, type FormDraft, type StoredForm } from '../../design/draft.js';

const keyOf = (id: string): string => `gatehouse.design.${id}`;

/** Keeps changes in this browser until they are saved. What is too large for it is not kept. */
export function keepDraft({ id, lastUpdated }: StoredForm, draft: FormDraft): void {
  try {
    window.localStorage.setItem(keyOf(id), JSON.stringify({ lastUpdated, draft }));
  } catch {
    // The browser has no room, or keeps nothing for this page: the draft lives as long as the page.
  }
}

/** Changes of the same state of the form that were kept; undefined when there are none. */
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

/** Forgets what was kept. */
export function forgetDraft(id: string): void {
  window.localStorage.removeItem(keyOf(id));
}
