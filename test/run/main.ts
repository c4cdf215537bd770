import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { IS_LEAK_SCAN } from '../support/leak-scan.js';
import { parseRunArguments, type RunOptions, UsageError } from './arguments.js';
import { openDurations } from './durations.js';
import { commitOf, writeResults } from './earlier-run.js';
import { readFileRecords, RUN_FOLDER } from './file-records.js';
import { groupsOf, omittedTiers, type Part, partsOf } from './files.js';
import { REPORT_FD, runWithLeakScan } from './leak-scan.js';
import { ROOT, sourceOf } from './paths.js';
import { createReporter, emptyResults, filesToRerun, mergeRerun, type Results } from './results.js';
import { lackOfService, openSharedServices } from './services.js';
import { omittedLine, summaryOf, tierLine, totalOf } from './summary.js';
import { type TierTimes, writeTierTable } from './tier-table.js';

// Runs test files in parallel processes: `npm test -- --help`.

const HOOKS = fileURLToPath(new URL('hooks.js', import.meta.url));
const DURATIONS = join(ROOT, 'node_modules', '.cache', 'gatehouse-tests.json');

/** Default time limit of a test, in milliseconds. */
const TEST_MS = 60_000;

/** EX_USAGE of sysexits.h: invalid command line. */
const EX_USAGE = 64;

/** File descriptor of the report. Child processes do not inherit it. */
const reportTo = Number(process.env[REPORT_FD] ?? '1');
Reflect.deleteProperty(process.env, REPORT_FD);

const print = (text: string): void => {
  writeSync(reportTo, `${text}\n`);
};

async function main(args: readonly string[]): Promise<number> {
  const options = parseRunArguments(args);
  const parts = partsOf(options);
  if (parts.length === 0) {
    const ofChanges = options.changed || options.changedTests;
    print(ofChanges ? 'no test file to run: none changed since the last commit' : 'no test file to run');
    return ofChanges ? 0 : 1;
  }
  if (options.results !== undefined) commitOf(ROOT);
  if (options.leakScan) return runWithLeakScan(args, options, isWhole(options));
  if (options.after !== undefined) print(`test files that passed in ${options.after} do not run again`);
  for (const tier of omittedTiers(options)) print(omittedLine(tier, lackOfService(tier.requires)));
  return runParts(parts, options);
}

/** Returns true if whole tiers run. */
function isWhole({ files, changed, changedTests, grep }: RunOptions): boolean {
  return files.length === 0 && !changed && !changedTests && grep === undefined;
}

async function runParts(parts: readonly Part[], options: RunOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
  process.env[RUN_FOLDER] = folder;
  const services = openSharedServices();
  try {
    const all: Results[] = [];
    const times: TierTimes = new Map();
    const durations = openDurations(DURATIONS);
    // The seconds of a tier in the table are those of a run of the tier alone.
    for (const group of options.writeTable ? parts.map((part) => [part]) : groupsOf(parts)) {
      const started = performance.now();
      await services.use(group.flatMap((part) => part.services));
      const files = durations.sort(group.flatMap((part) => part.files));
      const first = await runFiles(files, group, options);
      for (const [at, part] of group.entries()) {
        const results = first[at] ?? emptyResults();
        all.push(options.rerunFailed ? await rerunFailed(part, results, options) : results);
        const tests = results.passed + results.failed.length + results.skipped.length;
        times.set(part.name, { seconds: (performance.now() - started) / 1000, tests });
      }
    }
    const records = readFileRecords(folder);
    durations.save(new Map(records.map(({ file, seconds }) => [file, seconds])));
    if (options.writeTable) writeTierTable(join(ROOT, 'CONTRIBUTING.md'), times);
    const total = totalOf(all);
    print(`\n${summaryOf(total, records)}`);
    const isSuccess = total.failed.length === 0 && total.passed > 0;
    if (isSuccess && options.results !== undefined)
      writeResults(options.results, {
        files: parts.flatMap(({ files }) => files.map(sourceOf)),
        skipped: total.skipped.map(({ file, title }) => ({ file: sourceOf(file), title })),
        leakScan: IS_LEAK_SCAN,
      });
    return isSuccess ? 0 : 1;
  } finally {
    await services.use([]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the failed files of a tier once more, one at a time, and returns the merged results. */
async function rerunFailed(part: Part, first: Results, options: RunOptions): Promise<Results> {
  const again: Results[] = [];
  for (const file of filesToRerun(first)) {
    print(`${part.name}: ${sourceOf(file)} runs once more`);
    again.push(...(await runFiles([file], [{ ...part, files: [file] }], options)));
  }
  return again.length === 0 ? first : mergeRerun(first, totalOf(again));
}

/** Runs test files in one pool of processes. Resolves to the results of each of the tiers to which the files belong. */
async function runFiles(
  files: readonly string[],
  parts: readonly Part[],
  { grep, jobs }: RunOptions,
): Promise<readonly Results[]> {
  const started = performance.now();
  const results = parts.map(emptyResults);
  const resultsOf = (file: string): Results => {
    const at = parts.findIndex((part) => part.files.includes(file));
    return results[Math.max(0, at)] ?? emptyResults();
  };
  const options = {
    parallel: true,
    jobs: parts.some(({ onlyInAll }) => onlyInAll) ? jobs + 1 : jobs,
    require: [HOOKS],
    forbidOnly: true,
    timeout: TEST_MS,
    reporter: createReporter(resultsOf, print),
    ...(grep !== undefined && { grep: new RegExp(grep) }),
  };
  // With one job mocha would run all files in this process.
  const mocha = new Mocha(options).parallelMode(true);
  mocha.files = [...files];
  const stopProgress = showProgress(parts.map(({ name }) => name).join(', '), files.length);
  await new Promise<void>((resolve) => {
    mocha.run(() => {
      resolve();
    });
  });
  stopProgress();
  const seconds = (performance.now() - started) / 1000;
  for (const [at, part] of parts.entries())
    print(tierLine(part.name, results[at] ?? emptyResults(), { files: part.files.length, seconds }));
  if (parts.length > 1) print(`             (these ${parts.length} tiers ran side by side)`);
  return results;
}

/** Prints once a second, if stdout is a terminal, how many files of a tier have ended. */
function showProgress(name: string, files: number): () => void {
  const folder = process.env[RUN_FOLDER] ?? '';
  const before = readFileRecords(folder).length;
  if (!process.stdout.isTTY) return () => undefined;
  const timer = setInterval(() => {
    process.stdout.write(`\r${name}: ${readFileRecords(folder).length - before} of ${files} files`);
  }, 1_000);
  return () => {
    clearInterval(timer);
    process.stdout.write('\r\u001b[K');
  };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\nRun 'npm test -- --help' for what there is.\n`);
  process.exitCode = EX_USAGE;
}
