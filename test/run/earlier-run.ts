import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NEEDS } from '../support/need-list.js';
import { lackOf, needInTitle } from '../support/needs.js';
import { type RunOptions, UsageError } from './arguments.js';
import { ROOT } from './paths.js';
import type { NamedTest } from './results.js';

/** Results of a run without failures, in the file of `--results` and `--after`. */
interface EarlierRun {
  readonly commit: string;
  /** Version of Node.js. */
  readonly node: string;
  /** True if everything that the tests wrote was searched for secrets. */
  readonly leakScan: boolean;
  /** The skipped tests of each test file, by the path of its source. */
  readonly skipped: Readonly<Record<string, readonly string[]>>;
}

/** Writes the results of a run without failures. Throws {@link UsageError} for a checkout with changes. */
export function writeResults(
  path: string,
  run: {
    /** Paths of sources. */
    readonly files: readonly string[];
    readonly skipped: readonly Pick<NamedTest, 'file' | 'title'>[];
    readonly leakScan: boolean;
  },
  root = ROOT,
): void {
  const titles = (file: string) => run.skipped.filter((test) => test.file === file).map(({ title }) => title);
  const results: EarlierRun = {
    commit: commitOf(root),
    node: process.version,
    leakScan: run.leakScan,
    skipped: Object.fromEntries(run.files.map((file) => [file, titles(file)])),
  };
  writeFileSync(path, `${JSON.stringify(results, undefined, 1)}\n`);
}

/**
 * Returns the sources of the test files that an earlier run has completed: none of their skipped tests can run now. Throws
 * {@link UsageError} if that run was of another commit or Node.js, or did not search for secrets as this run does.
 */
export function filesDoneIn(
  path: string,
  { leakScan }: Pick<RunOptions, 'leakScan'>,
  root = ROOT,
): readonly string[] {
  if (!existsSync(path)) throw new UsageError(`no file ${path}`);
  const run = JSON.parse(readFileSync(path, 'utf8')) as EarlierRun;
  const commit = commitOf(root);
  if (run.commit !== commit) throw new UsageError(`${path} is of commit ${run.commit}, not of ${commit}`);
  if (run.node !== process.version)
    throw new UsageError(`${path} is of Node.js ${run.node}, not of ${process.version}`);
  if (leakScan && !run.leakScan) throw new UsageError(`${path} is of a run without --leak-scan`);
  return Object.entries(run.skipped).flatMap(([file, titles]) => (titles.some(canRunNow) ? [] : [file]));
}

/** Returns true unless the test was skipped for a need that this machine does not meet either. */
function canRunNow(title: string): boolean {
  const need = NEEDS.find(({ name }) => name === needInTitle(title));
  return need === undefined || lackOf(need) === undefined;
}

/** Returns the commit of a checkout. Throws {@link UsageError} if files differ from it. */
export function commitOf(root: string): string {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '')
    throw new UsageError('--results and --after need a checkout without changes');
  return git('rev-parse', 'HEAD');
}
