/** The keys that lead to the previous and to the next item. */
type ArrowKeys = readonly [back: string, forward: string];

export const ROW_KEYS: ArrowKeys = ['ArrowLeft', 'ArrowRight'];

export const COLUMN_KEYS: ArrowKeys = ['ArrowUp', 'ArrowDown'];

/** Returns the index of the item that a key selects, from the end to the start and back; `undefined` for other keys. */
export function itemOfKey(
  key: string,
  [back, forward]: ArrowKeys,
  { at, count }: { readonly at: number; readonly count: number },
): number | undefined {
  if (key === forward) return (at + 1) % count;
  if (key === back) return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Event of a key, in the library of the pages or of the task pages. */
interface KeyEvent {
  readonly key: string;
  readonly nativeEvent: { readonly isComposing: boolean };
}

/** Returns true while an input method, as for Japanese, composes a text: Enter and Escape are for it, not for the page. */
export function isComposing({ key, nativeEvent }: KeyEvent): boolean {
  return nativeEvent.isComposing || key === 'Process';
}
