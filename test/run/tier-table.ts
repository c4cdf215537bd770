import { readFileSync, writeFileSync } from 'node:fs';
import { TIERS } from './tiers.js';

/** Measured wall seconds and number of tests by tier. */
export type TierTimes = Map<string, { readonly seconds: number; readonly tests: number }>;

const HEAD = ['Tier', 'What', 'Tests', 'Takes'];

/** Matches the table of the tiers: from its head to the first empty line. */
const TABLE = /^\| Tier +\|.*\n(?:\|.*\n)+/m;

/**
 * Writes the table of the tiers in a Markdown file, with the figures of a run. A tier that did not run keeps its figures; a row
 * whose tier no longer exists goes. Throws if the file has no such table.
 */
export function writeTierTable(path: string, times: TierTimes): void {
  const text = readFileSync(path, 'utf8');
  if (!TABLE.test(text)) throw new Error(`${path} has no table that begins with "| Tier"`);
  const before = readTierRows(text);
  const rows = TIERS.map(({ name, about, onlyInAll = false }) => {
    const time = times.get(name);
    const [, , tests = '', takes = ''] = before.get(name) ?? [];
    const figures = time ? [String(time.tests), `${Math.ceil(time.seconds)} s`] : [tests, takes];
    return [`\`npm test -- ${name}\`${onlyInAll ? ' *' : ''}`, about, ...figures];
  });
  writeFileSync(path, text.replace(TABLE, tableOf([HEAD, ...rows])));
}

/** Returns the cells of each row of the table in a Markdown text, by the name of its tier. */
export function readTierRows(text: string): ReadonlyMap<string, readonly string[]> {
  const [table = ''] = TABLE.exec(text) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return new Map(
    rows.map((row) => {
      const cells = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [/-- ([a-z0-9]+)/.exec(cells[0] ?? '')?.[1] ?? '', cells];
    }),
  );
}

/** Formats a table as prettier does. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('');
}
