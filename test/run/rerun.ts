import type { NamedTest, Results } from './results.js';

/**
 * Maximum number of files of a tier that run once more. More failed files are a fault of the product or of the machine,
 * and not of single tests.
 */
const MAX_FILES = 3;

/**
 * Returns the compiled files of a tier with a failed test, if they are few enough to run once more. Returns an empty
 * list if a failure belongs to no file.
 */
export function filesToRerun({ failed }: Pick<Results, 'failed'>): readonly string[] {
  const files = [...new Set(failed.map(({ file }) => file))];
  return files.length > MAX_FILES || files.includes('') ? [] : files;
}

/**
 * Merges the results of a tier with those of its failed files, which ran once more. A test that failed only the first time is
 * flaky. A test has failed if it failed the second time, or if its file skipped tests the second time that it ran before.
 * The first results remain if no test ran the second time.
 */
export function mergeRerun(first: Results, second: Results): Results {
  if (second.passed + second.failed.length === 0) return first;
  const isIn = (tests: readonly NamedTest[], test: NamedTest): boolean =>
    tests.some(({ file, title }) => file === test.file && title === test.title);
  const skipped = second.skipped.filter((test) => !isIn(first.skipped, test)).map(({ file }) => file);
  const passed = first.failed.filter((test) => !isIn(second.failed, test));
  const flaky = passed.filter(({ file }) => !skipped.includes(file));
  const unproven = passed.filter(({ file }) => skipped.includes(file));
  return {
    passed: first.passed + flaky.length,
    failed: [...second.failed, ...unproven],
    skipped: first.skipped,
    flaky,
  };
}
