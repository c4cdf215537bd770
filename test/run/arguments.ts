import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { TIERS } from './tiers.js';

/** Options of a test run. */
export interface RunOptions {
  /** Names of tiers. */
  readonly tiers: readonly string[];
  /** Compiled or source files to run instead of whole tiers. */
  readonly files: readonly string[];
  readonly jobs: number;
  readonly grep?: string;
  /** Number of files to list, by the time they took. */
  readonly slowest: number;
  /** True: runs only the tests of files that differ from the last commit. */
  readonly changed: boolean;
  /** True: everything that the tests write is searched for secrets. */
  readonly leakScan: boolean;
  /** True: files with a failed test run once more. */
  readonly rerunFailed: boolean;
}

export const HELP = `Runs the tests in parallel processes, tier by tier.

Usage: npm test -- [TIER...] [FILE...] [options]

Tiers:
${TIERS.map(({ name, about, onlyByName = false }) => `  ${name.padEnd(12)} ${about}${onlyByName ? ' (only when named)' : ''}`).join('\n')}

FILE is a test file, for example test/auth/jwk.test.ts.

Options:
  --grep TEXT      only tests whose full title matches this regular expression
  --jobs N         processes (default: ${availableParallelism()}, the number of processors)
  --slowest        list the ten files that took longest
  --changed        only shape, unit and integration tests that import a file changed since the last
                   commit, and changed test files of every tier
  --leak-scan      log everything, and search all that was written for secrets
  --rerun-failed   run files with a failed test once more, by themselves, if they are few; tests that pass
                   then are listed as flaky and do not fail the run
  --help           print this text
`;

/** Error for an invalid command line; the message describes a valid one. */
export class UsageError extends Error {}

/** Parses the command line; `undefined` when it asks for help. Throws {@link UsageError}. */
export function parseRunArguments(args: readonly string[]): RunOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  const known = TIERS.map(({ name }) => name);
  const files = positionals.filter((word) => /\.[jt]s$/.test(word));
  const tiers = positionals.filter((word) => !files.includes(word));
  const unknown = tiers.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`no tier ${unknown.join(', ')}; the tiers are ${known.join(', ')}`);
  const jobs = Number(values.jobs ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1) throw new UsageError('--jobs must be a number from 1');
  return {
    tiers: tiers.length > 0 ? tiers : TIERS.filter(({ onlyByName }) => !onlyByName).map(({ name }) => name),
    files,
    jobs,
    ...(values.grep !== undefined && { grep: values.grep }),
    slowest: values.slowest === true ? 10 : 0,
    changed: values.changed === true,
    leakScan: values['leak-scan'] === true,
    rerunFailed: values['rerun-failed'] === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        grep: { type: 'string', short: 'g' },
        jobs: { type: 'string', short: 'j' },
        slowest: { type: 'boolean' },
        changed: { type: 'boolean' },
        'leak-scan': { type: 'boolean' },
        'rerun-failed': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
