/** Returns one member of each row, for an assertion on one line. */
export function column<Row, Name extends keyof Row>(
  rows: Iterable<Row> | undefined,
  name: Name,
): readonly Row[Name][] {
  return Array.from(rows ?? [], (row) => row[name]);
}

/** Returns some members of each row as a list. */
export function columns<Row, Name extends keyof Row>(
  rows: Iterable<Row> | undefined,
  ...names: readonly Name[]
): readonly (readonly Row[Name][])[] {
  return Array.from(rows ?? [], (row) => names.map((name) => row[name]));
}
