import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RECORDS, SCAN_FOLDER, setFileFolder } from '../support/leak-scan.js';
import type { RunOptions } from './arguments.js';
import { type Leak, scanFolder } from './leak-report.js';

/** The maximum number of printed leaks. The kept folder contains all of them. */
const SHOWN = 50;

/** How a test registers an input. */
const REGISTER =
  'A test that writes a secret on purpose as input registers the file: writeInput(path, text) or registerInput(path), test/support/input-file.ts';

/**
 * Variable with the file descriptor of the test report, which separates the report from the output of the
 * tests.
 */
export const REPORT_FD = 'GATEHOUSE_TEST_REPORT_FD';

const RUNNER = fileURLToPath(new URL('main.js', import.meta.url));
const PRELOAD = new URL('../support/leak-scan-preload.js', import.meta.url).href;

/**
 * Runs the tests once more in a child process, at log level `spam` and with `DEBUG=*`, keeps everything that
 * any of their processes writes, and then searches it for every secret that a Vault double gave out. Resolves
 * to the exit code: that of the tests, or 1 when a secret was found.
 *
 * @param isWhole Whether whole tiers run, so that a run without a secret proves that the scan is broken.
 */
export async function runWithLeakScan(
  args: readonly string[],
  { results }: Pick<RunOptions, 'results'>,
  isWhole: boolean,
): Promise<number> {
  // A short name: the paths of sockets below it have at most 107 bytes.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leak-scan-')));
  for (const name of Object.values(RECORDS)) mkdirSync(join(folder, name));
  // A PostgreSQL server of the tests runs as another user, which must be able to reach its folder.
  chmodSync(folder, 0o711);
  const code = await runTests(
    folder,
    args.filter((word) => word !== '--leak-scan'),
  );
  const { secrets, outputs, bytes, inputs, leaks } = scanFolder(folder);
  process.stdout.write(
    `leak scan: ${secrets} secrets in ${outputs} outputs of ${Math.ceil(bytes / 1e6)} MB, ${inputs} registered inputs, ${leaks.length} found\n`,
  );
  printLeaks(leaks);
  const isBroken = isWhole && (secrets === 0 || bytes === 0);
  if (isBroken) process.stderr.write('  nothing was kept, so nothing was proved\n');
  if (leaks.length === 0) rmSync(folder, { recursive: true, force: true });
  else process.stderr.write(`  all output was kept in ${folder}\n`);
  const isClean = leaks.length === 0 && !isBroken;
  // The results of the tests are no results of a successful run.
  if (!isClean && results !== undefined) rmSync(results, { force: true });
  return code === 0 && !isClean ? 1 : code;
}

async function runTests(folder: string, args: readonly string[]): Promise<number> {
  const output = openSync(join(folder, 'tests-output'), 'w');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    // Excludes the browser driver, which would log every frame of every page, and mocha, which would log
    // every event; neither is part of the product.
    DEBUG: '*,-pw:*,-mocha:*',
    // Runs as in production: otherwise winston writes `DEBUG` output to stdout, among the lines of the log.
    NODE_ENV: 'production',
    [REPORT_FD]: '3',
    [SCAN_FOLDER]: folder,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${PRELOAD}`,
  };
  setFileFolder(env, join(folder, 'runner'));
  const child = spawn(process.execPath, [...process.execArgv, RUNNER, ...args], {
    stdio: ['ignore', output, output, process.stdout],
    env,
  });
  const [code] = (await once(child, 'close')) as [number | null];
  closeSync(output);
  return code ?? 1;
}

/** Prints leaks by test file. */
function printLeaks(leaks: readonly Leak[]): void {
  const shown = leaks.slice(0, SHOWN);
  for (const testFile of new Set(shown.map((leak) => leak.testFile))) {
    process.stderr.write(`\nLEAK ${testFile}\n`);
    for (const { path, at, secret, form, test } of shown.filter((leak) => leak.testFile === testFile)) {
      const during = test === undefined ? '' : `, test: ${test}`;
      process.stderr.write(`  ${path} at byte ${at}: the secret ${secret}, ${form}${during}\n`);
    }
  }
  if (leaks.length > 0) process.stderr.write(`  ${REGISTER}\n`);
}
