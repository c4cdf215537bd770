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
 * flaky. A test that failed the second time has failed. The first results remain if no test ran the second time.
 */
export function mergeRerun(first: Results, second: Results): Results {
  if (second.passed + second.failed.length === 0) return first;
  const flaky = first.failed.filter((test) => !second.failed.some((other) => isSame(test, other)));
  return { passed: first.passed + flaky.length, failed: second.failed, skipped: first.skipped, flaky };
}

function isSame(one: NamedTest, other: NamedTest): boolean {
  return one.file === other.file && one.title === other.title;
}
