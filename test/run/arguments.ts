import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { TIERS } from './tiers.js';

/** Options of a test run, which `scripts/test.mjs --help` describes. */
export interface RunOptions {
  readonly tiers: readonly string[];
  /** Compiled or source files to run instead of whole tiers. */
  readonly files: readonly string[];
  readonly jobs: number;
  readonly grep?: string;
  /** True: runs only the tests of files that differ from the last commit. */
  readonly changed: boolean;
  /** True: runs only test files that differ from the last commit, and one for each changed file they share. */
  readonly changedTests: boolean;
  /** True: everything that the tests write is searched for secrets. */
  readonly leakScan: boolean;
  /** True: files with a failed test run once more. */
  readonly rerunFailed: boolean;
  /** File that receives the results of a run without failures. */
  readonly results?: string;
  /** File with the results of an earlier run, whose complete test files do not run again. */
  readonly after?: string;
  /** True: writes the table of the tiers in CONTRIBUTING.md. */
  readonly writeTable: boolean;
}

/** Error for an invalid command line; the message describes a valid one. */
export class UsageError extends Error {}

/** Parses the command line. Throws {@link UsageError}. */
export function parseRunArguments(args: readonly string[]): RunOptions {
  const { values, positionals } = parse(args);
  const known = TIERS.map(({ name }) => name);
  const files = positionals.filter((word) => /\.[jt]s$/.test(word));
  const tiers = positionals.filter((word) => !files.includes(word));
  const unknown = tiers.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`no tier ${unknown.join(', ')}; the tiers are ${known.join(', ')}`);
  // One process more than there are processors, because some tests wait for other processes.
  const jobs = Number(values.jobs ?? availableParallelism() + 1);
  if (!Number.isInteger(jobs) || jobs < 1) throw new UsageError('--jobs must be a number from 1');
  if (values.results !== undefined && values.grep !== undefined)
    throw new UsageError('--results needs all tests of each file, so it cannot be combined with --grep');
  const selected = TIERS.filter(({ onlyInAll = false }) => values.all === true || !onlyInAll);
  return {
    tiers: tiers.length > 0 ? tiers : selected.map(({ name }) => name),
    files,
    jobs,
    ...(values.grep !== undefined && { grep: values.grep }),
    ...(values.results !== undefined && { results: values.results }),
    ...(values.after !== undefined && { after: values.after }),
    changed: values.changed === true,
    changedTests: values['changed-tests'] === true,
    leakScan: values['leak-scan'] === true,
    rerunFailed: values['rerun-failed'] === true,
    writeTable: values['write-table'] === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        grep: { type: 'string', short: 'g' },
        jobs: { type: 'string', short: 'j' },
        changed: { type: 'boolean' },
        'changed-tests': { type: 'boolean' },
        'leak-scan': { type: 'boolean' },
        'rerun-failed': { type: 'boolean' },
        results: { type: 'string' },
        after: { type: 'string' },
        'write-table': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
