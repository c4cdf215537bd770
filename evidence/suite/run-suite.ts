import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../test/docs/markdown.js';
import type { Course } from './verdicts.js';

interface SuiteRun {
  /** Compiled tests; none: all. */
  readonly files: readonly string[];
  /** File for mocha's report. */
  readonly reportFile: string;
}

interface RunReport {
  readonly fullTitle: string;
  readonly file?: string;
  readonly err: { readonly message?: string };
}

/** Output of mocha's reporter `json`: https://mochajs.org/#json */
interface MochaReport {
  readonly passes: readonly RunReport[];
  readonly failures: readonly RunReport[];
}

/** Runs the built suite once with the command of the README. An aborted run counts as a failure. */
export async function runSuite({ files, reportFile }: SuiteRun): Promise<Course> {
  rmSync(reportFile, { force: true });
  const begun = performance.now();
  const mocha = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const alone = files.length > 0 ? ['--no-package', '--timeout', '20000', ...files] : [];
  const child = spawn(
    process.execPath,
    [mocha, ...alone, '--reporter', 'json', '--reporter-option', `output=${reportFile}`],
    { cwd: ROOT, stdio: 'ignore' },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((performance.now() - begun) / 1000);
  if (!existsSync(reportFile)) {
    const message = `it ended with ${code ?? 'a signal'}, and no report`;
    return { passed: [], failed: [{ test: 'the suite', message }], seconds };
  }
  const { passes, failures } = JSON.parse(readFileSync(reportFile, 'utf8')) as MochaReport;
  return {
    passed: passes.map(nameOf),
    failed: failures.map((test) => ({ test: nameOf(test), message: test.err.message ?? '' })),
    seconds,
  };
}

function nameOf({ fullTitle, file = '' }: RunReport): string {
  return `${file.replace(/^.*\/test\//, '')}: ${fullTitle}`;
}
