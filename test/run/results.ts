import Mocha from 'mocha';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const { EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/** A test that did not run, or did not pass. */
export interface NamedTest {
  /** Path of the compiled file, from `root`. */
  readonly file: string;
  readonly title: string;
}

/** What came of the tests of a tier. */
export interface Results {
  passed: number;
  readonly failed: NamedTest[];
  readonly skipped: NamedTest[];
}

export function emptyResults(): Results {
  return { passed: 0, failed: [], skipped: [] };
}

/** Creates a mocha reporter that counts into `results` and prints each failure as soon as its file has ended. */
export function createReporter(
  results: Results,
  root: string,
  print: (text: string) => void,
): Mocha.ReporterConstructor {
  const named = (test: Mocha.Test): NamedTest => ({
    file: relative(root, test.file ?? test.parent?.file ?? ''),
    title: test.fullTitle(),
  });
  return class extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
      super(runner, options);
      runner.on(EVENT_TEST_PASS, () => {
        results.passed += 1;
      });
      runner.on(EVENT_TEST_PENDING, (test) => {
        results.skipped.push(named(test));
      });
      runner.on(EVENT_TEST_FAIL, (test, error: Error) => {
        results.failed.push(named(test));
        print(
          `\nFAILED ${named(test).file}: ${named(test).title}\n${indented(error.stack ?? error.message)}\n`,
        );
      });
    }
  };
}

function indented(text: string): string {
  return stripVTControlCharacters(text).replace(/^/gm, '  ');
}
