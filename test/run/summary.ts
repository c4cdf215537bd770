import { NEEDS } from '../support/need-list.js';
import { type Need, needInTitle } from '../support/needs.js';
import type { FileRecord } from './file-records.js';
import { sourceOf } from './paths.js';
import type { NamedTest, Results } from './results.js';
import type { Tier } from './tiers.js';

/** Number of files that are listed by the time they took. A run of as few files lists none. */
const SLOWEST_FILES = 10;

/** Formats the line of a tier after its last test. */
export function tierLine(
  name: string,
  results: Results,
  { files, seconds }: { readonly files: number; readonly seconds: number },
): string {
  const counts = countsOf(results).padEnd(44);
  return `${name.padEnd(12)} ${counts} ${String(files).padStart(4)} files ${seconds.toFixed(1).padStart(6)} s`;
}

/** Formats the line of a tier whose program is not installed. */
export function omittedLine({ name }: Pick<Tier, 'name'>, need: Need | undefined): string {
  return `${name.padEnd(12)} omitted: it needs ${need ? withHint(need) : 'a program'}`;
}

/**
 * Formats the summary after the tests: slow files, skipped tests by what they need, failures, and the counts in the last line.
 */
export function summaryOf(total: Results, records: readonly FileRecord[]): string {
  const replies = records.reduce((sum, one) => sum + one.replies, 0);
  return [
    ...(replies > 0 ? [`${replies} replies were compared with the API description\n`] : []),
    ...list(
      'slowest files (seconds, CPU seconds with child processes):',
      records.length > SLOWEST_FILES ? slowestFiles(records) : [],
    ),
    ...list('skipped:', skippedLines(total.skipped)),
    ...list('flaky: failed at first, and passed when the file ran once more:', byTitle(total.flaky)),
    ...list('failed:', byTitle(total.failed)),
    countsOf(total),
  ].join('\n');
}

/** Formats the counts as `12 passed, 0 failed, 1 skipped`, with the flaky tests if there are any. */
export function countsOf({ passed, failed, skipped, flaky }: Results): string {
  const unsteady = flaky.length === 0 ? '' : `, ${flaky.length} flaky`;
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped${unsteady}`;
}

/** Adds up the results of several tiers. */
export function totalOf(all: readonly Results[]): Results {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.flatMap(({ failed }) => failed),
    skipped: all.flatMap(({ skipped }) => skipped),
    flaky: all.flatMap(({ flaky }) => flaky),
  };
}

function list(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${line}`), ''];
}

function slowestFiles(records: readonly FileRecord[]): readonly string[] {
  const longest = [...records].sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_FILES);
  return longest.map(
    ({ file, seconds, cpuSeconds }) =>
      `${seconds.toFixed(1).padStart(6)} s ${cpuSeconds.toFixed(1).padStart(6)} s  ${sourceOf(file)}`,
  );
}

/** Lists one line for each need with the number of its tests, and every other skipped test by its title. */
function skippedLines(tests: readonly NamedTest[]): readonly string[] {
  const needs = tests.map(({ title }) => needInTitle(title));
  const lines = [...new Set(needs)].flatMap((name) => {
    if (name === undefined) return [];
    const count = needs.filter((one) => one === name).length;
    const need = NEEDS.find((one) => one.name === name) ?? { name };
    return [`${count} ${count === 1 ? 'test needs' : 'tests need'} ${withHint(need)}`];
  });
  return [...lines, ...byTitle(tests.filter((_, at) => needs[at] === undefined))];
}

function withHint({ name, hint }: Pick<Need, 'name' | 'hint'>): string {
  return hint === undefined ? name : `${name} (${hint})`;
}

function byTitle(tests: readonly NamedTest[]): readonly string[] {
  return tests.map(({ file, title }) => (file === '' ? title : `${sourceOf(file)}: ${title}`));
}
