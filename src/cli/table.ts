/** Formats rows as aligned columns and indents each line by two spaces. The first row may be the heading. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `  ${line(row)}\n`).join('');
}
