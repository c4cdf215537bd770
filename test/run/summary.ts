import type { RunOptions } from './arguments.js';
import type { FileRecord } from './file-records.js';
import { sourceOf } from './files.js';
import type { NamedTest, Results } from './results.js';

/** The maximum number of skipped tests that are listed by their titles. */
const MAX_LISTED_TITLES = 40;

/**
 * Formats the summary after the tests: slow tests, skipped tests, failures, and the counts in the last line.
 */
export function summaryOf(
  total: Results,
  records: readonly FileRecord[],
  { slowest }: Pick<RunOptions, 'slowest'>,
): string {
  const replies = records.reduce((sum, one) => sum + one.replies, 0);
  return [
    ...(replies > 0 ? [`${replies} replies were compared with the API description\n`] : []),
    ...list(
      'slowest files (wall time, processor time of the test process and its children):',
      slowestFiles(records, slowest),
    ),
    ...list(
      'skipped:',
      total.skipped.length > MAX_LISTED_TITLES ? byFile(total.skipped) : byTitle(total.skipped),
    ),
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

function slowestFiles(records: readonly FileRecord[], count: number): readonly string[] {
  const longest = [...records].sort((one, other) => other.seconds - one.seconds).slice(0, count);
  return longest.map(
    ({ file, seconds, cpuSeconds }) =>
      `${seconds.toFixed(1).padStart(6)} s ${cpuSeconds.toFixed(1).padStart(6)} s  ${sourceOf(file)}`,
  );
}

function byTitle(tests: readonly NamedTest[]): readonly string[] {
  return tests.map(({ file, title }) => (file === '' ? title : `${sourceOf(file)}: ${title}`));
}

/** Counts skipped tests by file and by the reason at the end of their titles, for example `(needs the double: ...)`. */
function byFile(tests: readonly NamedTest[]): readonly string[] {
  const groups = tests.map(
    ({ file, title }) => `${sourceOf(file)}: ${/\(needs [^)]*\)$/.exec(title)?.[0] ?? ''}`,
  );
  return [...new Set(groups)].map((group) => {
    const count = groups.filter((one) => one === group).length;
    return group.replace(': ', `: ${count} ${count === 1 ? 'test' : 'tests'} `).trimEnd();
  });
}
