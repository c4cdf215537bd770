/** The keys that lead to the previous and to the next item. */
type ArrowKeys = readonly [back: string, forward: string];

/** The keys of items in a row. */
export const ROW_KEYS: ArrowKeys = ['ArrowLeft', 'ArrowRight'];

/** The keys of items in a column. */
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
