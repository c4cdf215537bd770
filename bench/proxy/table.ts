import type { Abandoned } from './abandoned.js';
import type { Lateness, Summary } from './figures.js';
import type { RoundSpread } from './round-spread.js';

/** Returns the lines of a table with the narrowest columns: the first is aligned left, all others right. */
export function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns the table of one profile's closed loops, cheapest first. */
export function summaryTable(summaries: readonly Summary[], anchors: readonly string[]): readonly string[] {
  const head = ['contender', 'CPU us', 'least-most', ...anchors.map((one) => `: ${one}`)];
  const rest = ['req/s', 'RSS MB', 'not 200', 'wrong', 'differ', 'let in', 'connections'];
  const rows = summaries
    .toSorted((a, b) => a.cpuUs.median - b.cpuUs.median)
    .map((one) => [
      one.contender,
      short(one.cpuUs.median),
      range(one.cpuUs, short),
      ...anchors.map((anchor) => ratio(one.ratios[anchor]?.median)),
      String(Math.round(one.requestsPerSecond)),
      String(Math.round(one.residentMb)),
      percent(one.not200),
      ...[one.wrong, one.different, one.letIn, one.opened].map(String),
    ]);
  return tableOf([[...head, ...rest], ...rows]);
}

/** Returns the table of the open loops at one rate. */
export function latenessTable(all: readonly Lateness[], anchors: readonly string[]): readonly string[] {
  const head = ['contender', 'p50 ms', 'p90', 'p99', 'p99.9', 'CPU us'];
  const compared = anchors.map((one) => `p50, p99 : ${one}`);
  const rows = all
    .toSorted((a, b) => a.p99 - b.p99)
    .map((one) => [
      one.contender,
      ...[one.p50, one.p90, one.p99, one.p999].map((ms) => ms.toFixed(2)),
      short(one.cpuUs),
      ...anchors.map(
        (anchor) =>
          `${ratio(one.ratios.p50[anchor]?.median)}, ${ratio(one.ratios.p99[anchor]?.median).padStart(5)}`,
      ),
      String(one.wrong),
    ]);
  return tableOf([[...head, ...compared, 'wrong'], ...rows]);
}

/** Returns the table of calls whose callers disconnected. */
export function abandonedTable(all: Readonly<Record<string, Abandoned>>): readonly string[] {
  const rows = Object.entries(all).map(([name, { arrived, held }]) => [name, String(arrived), String(held)]);
  return tableOf([['contender', 'calls left alone', 'still held'], ...rows]);
}

/** Formats a ratio; a dash without a value. */
export function ratio(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)}x`;
}

/** Formats the least and the most of the rounds. */
export function range({ least, most }: RoundSpread, format: (value: number) => string): string {
  return `${format(least)}-${format(most)}`;
}

function short(value: number): string {
  return Number.isFinite(value) ? value.toFixed(value < 100 ? 1 : 0) : '-';
}

/** Formats a fraction as a percentage. */
export function percent(part: number): string {
  return part === 0 ? '0' : `${(part * 100).toFixed(1)} %`;
}
