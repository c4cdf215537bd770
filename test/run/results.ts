import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import Mocha from 'mocha';
import { sourceOf } from './paths.js';

const { EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/** A test that was skipped or failed. */
export interface NamedTest {
  /** The compiled file. Empty for results without a file, for example if a file cannot be loaded. */
  readonly file: string;
  readonly title: string;
}

/** Results of the tests of a tier. */
export interface Results {
  passed: number;
  readonly failed: NamedTest[];
  readonly skipped: NamedTest[];
  /** Tests that failed, and passed when their file ran once more. */
  readonly flaky: NamedTest[];
}

export function emptyResults(): Results {
  return { passed: 0, failed: [], skipped: [], flaky: [] };
}

/**
 * Creates a mocha reporter that counts each test into the results of its file, and prints each failure as soon as its
 * file has ended.
 */
export function createReporter(
  resultsOf: (file: string) => Results,
  print: (text: string) => void,
): Mocha.ReporterConstructor {
  const named = (test: Mocha.Test): NamedTest => ({ file: test.file ?? '', title: test.fullTitle() });
  return class extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
      super(runner, options);
      runner.on(EVENT_TEST_PASS, ({ file = '' }) => {
        resultsOf(file).passed += 1;
      });
      runner.on(EVENT_TEST_PENDING, (test) => {
        const skipped = named(test);
        resultsOf(skipped.file).skipped.push(skipped);
      });
      runner.on(EVENT_TEST_FAIL, (test, error: Error) => {
        const { file, title } = named(test);
        resultsOf(file).failed.push({ file, title });
        print(`\nFAILED ${file === '' ? '' : `${sourceOf(file)}: `}${title}\n${indented(error)}\n`);
      });
    }
  };
}

/** Formats message, difference and stack of an error: without the frames of Node.js and of packages, with the places of the sources. */
function indented(error: Error): string {
  return stripVTControlCharacters(error.stack ?? error.message)
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node:|node_modules)/.test(line))
    .map((line) => `  ${withSourcePlace(line)}`.trimEnd())
    .join('\n');
}

/**
 * Replaces the place of a compiled file in a frame by that of its source. With `--enable-source-maps`, Node.js would do so for
 * every error of a test, which takes a tenth of the CPU time of all tests.
 */
export function withSourcePlace(frame: string): string {
  const [place, file = '', line, column] = /(?:file:\/\/)?(\/[^():]+\.js):(\d+):(\d+)/.exec(frame) ?? [];
  if (place === undefined || !existsSync(`${file}.map`)) return frame;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (!('originalLine' in entry)) return frame;
  return frame.replace(
    place,
    () => `${sourceOf(file)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
  );
}

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
