import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { HELP, parseRunArguments, type RunOptions, UsageError } from './arguments.js';
import { testsOfChanges } from './changed.js';
import { openDurations } from './durations.js';
import { readFileRecords, RUN_FOLDER } from './file-records.js';
import { runWithLeakScan } from './leak-scan.js';
import { lackingPrograms } from './programs.js';
import { createReporter, emptyResults, type Results } from './results.js';
import { createServices } from './services.js';
import { SERIAL, type ServiceName, tierOf, TIERS } from './tiers.js';

// Runs test files in parallel processes, tier by tier: `npm test -- --help`.

/** The checkout: this file runs from `dist/test/run`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TESTS = join(ROOT, 'dist', 'test');
const HOOKS = fileURLToPath(new URL('hooks.js', import.meta.url));
const EX_USAGE = 64;

/** Skipped tests that are listed by their titles. */
const MOST_TITLES = 40;

/** A tier, and those of its files that are to run. */
interface Part {
  readonly name: string;
  readonly files: readonly string[];
  readonly jobs: number;
  readonly services: readonly ServiceName[];
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const options = parseRunArguments(process.argv.slice(2));
  if (!options) {
    process.stdout.write(HELP);
    return 0;
  }
  if (options.leakScan)
    return runWithLeakScan(process.argv.slice(2).filter((word) => word !== '--leak-scan'));
  const parts = partsOf(chooseFiles(options), options);
  if (parts.length === 0) {
    print('no test file to run');
    return options.changed ? 0 : 1;
  }
  for (const { program, skips } of lackingPrograms()) print(`${program} is not installed: ${skips}`);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
  process.env[RUN_FOLDER] = folder;
  const services = createServices();
  try {
    const all: Results[] = [];
    const durations = openDurations(join(ROOT, 'node_modules', '.cache', 'gatehouse-tests.json'));
    for (const part of parts) {
      await services.start(part.services);
      all.push(await runPart({ ...part, files: durations.sort(part.files) }, options));
    }
    const records = readFileRecords(folder);
    durations.save(new Map(records.map(({ file, seconds }) => [file, seconds])));
    return summarize(all, records, options);
  } finally {
    await services.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiled test files below `dist/test`, as absolute paths. */
function allFiles(): readonly string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(TESTS, name))
    .sort();
}

function chooseFiles({ tiers, files, changed }: RunOptions): readonly string[] {
  if (changed) return testsOfChanges(ROOT, allFiles());
  if (files.length > 0)
    return files.map((file) => {
      const name = relative(ROOT, join(ROOT, file))
        .replace(/^dist\//, '')
        .replace(/\.ts$/, '.js');
      return join(ROOT, 'dist', name);
    });
  return allFiles().filter((file) => tiers.includes(tierOfFile(file) ?? ''));
}

function tierOfFile(file: string): string | undefined {
  return tierOf(sourceOf(file).replace(/^test\//, ''));
}

/** Path of the source of a compiled file, from the root. */
function sourceOf(file: string): string {
  return relative(join(ROOT, 'dist'), file).replaceAll('\\', '/').replace(/\.js$/, '.ts');
}

function partsOf(files: readonly string[], { jobs }: RunOptions): readonly Part[] {
  const serial = files.filter((file) => SERIAL.test(sourceOf(file)));
  const parts = TIERS.map(({ name, services }) => ({
    name,
    files: files.filter((file) => tierOfFile(file) === name && !serial.includes(file)),
    jobs,
    services,
  }));
  const last: Part = { name: 'serial', files: serial, jobs: 1, services: ['postgres'] };
  return [...parts, last].filter((part) => part.files.length > 0);
}

async function runPart({ name, files, jobs }: Part, { grep }: RunOptions): Promise<Results> {
  const started = performance.now();
  const results = emptyResults();
  const options = {
    parallel: true,
    jobs,
    require: [HOOKS],
    forbidOnly: true,
    timeout: 20_000,
    reporter: createReporter(results, ROOT, print),
    ...(grep !== undefined && { grep: new RegExp(grep) }),
  };
  const mocha = new Mocha(options).parallelMode(true);
  mocha.files = [...files];
  await new Promise<void>((resolve) => {
    mocha.run(() => {
      resolve();
    });
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(
    `${name.padEnd(12)} ${countsOf(results).padEnd(44)} ${String(files.length).padStart(4)} files ${seconds.padStart(6)} s`,
  );
  return results;
}

function countsOf({ passed, failed, skipped }: Results): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
}

type Records = ReturnType<typeof readFileRecords>;

function summarize(all: readonly Results[], records: Records, { slowest }: RunOptions): number {
  const total: Results = {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.flatMap(({ failed }) => failed),
    skipped: all.flatMap(({ skipped }) => skipped),
  };
  const replies = records.reduce((sum, one) => sum + one.replies, 0);
  if (replies > 0) print(`\n${replies} replies were compared with the API description`);
  const longest = [...records].sort((one, other) => other.seconds - one.seconds).slice(0, slowest);
  if (longest.length > 0) print('\nslowest files (wall time, processor time of the test process):');
  for (const { file, seconds, cpuSeconds } of longest)
    print(`  ${seconds.toFixed(1).padStart(6)} s ${cpuSeconds.toFixed(1).padStart(6)} s  ${sourceOf(file)}`);
  printSkipped(total.skipped);
  if (total.failed.length > 0) print('\nfailed:');
  for (const { file, title } of total.failed) print(`  ${sourceOf(join(ROOT, file))}: ${title}`);
  print(`\n${countsOf(total)}`);
  return total.failed.length === 0 && total.passed > 0 ? 0 : 1;
}

/** Each test by its title; by file where there are very many, as when a whole program is missing. */
function printSkipped(skipped: Results['skipped']): void {
  if (skipped.length === 0) return;
  print('\nskipped:');
  for (const file of new Set(skipped.map((test) => test.file))) {
    const titles = skipped.filter((test) => test.file === file).map(({ title }) => title);
    const path = sourceOf(join(ROOT, file));
    if (skipped.length > MOST_TITLES) print(`  ${path}: ${titles.length} tests`);
    else for (const title of titles) print(`  ${path}: ${title}`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\nRun 'npm test -- --help' for what there is.\n`);
  process.exitCode = EX_USAGE;
}
