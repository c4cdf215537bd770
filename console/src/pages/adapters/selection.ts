/**
 * Returns the selection after a row was selected or cleared. With Shift (`isRange`), all rows between the row that was
 * changed before and this row get the same state, in the order in which the table shows them.
 */
export function nextSelection(
  picked: ReadonlySet<string>,
  { key, isPicked, isRange }: { readonly key: string; readonly isPicked: boolean; readonly isRange: boolean },
  { shown, previous }: { readonly shown: readonly string[]; readonly previous: string | undefined },
): ReadonlySet<string> {
  const [from, to] = [previous === undefined ? -1 : shown.indexOf(previous), shown.indexOf(key)];
  const changed =
    isRange && from >= 0 && to >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
  const next = new Set(picked);
  for (const name of changed)
    if (isPicked) next.add(name);
    else next.delete(name);
  return next;
}
