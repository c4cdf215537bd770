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

/** Formats message, difference and stack of an error, without the frames of Node.js and of packages. */
function indented(error: Error): string {
  return stripVTControlCharacters(error.stack ?? error.message)
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node:|node_modules)/.test(line))
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}
