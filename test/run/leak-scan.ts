import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEPT } from '../support/leak-scan.js';
import { searchFor } from '../support/leak-scan-search.js';

/**
 * Vault credentials and secret files that tests write as input of gatehouse, and files that tests compare with
 * the written files.
 */
const INPUTS = /(^|\/)(role_id|secret_id|token(\.new)?|jwt|secrets\.json|[^/]*\.(pem|key|bak)|secrets\/.*)$/;

/** The maximum number of printed leaks. The kept folder contains all of them. */
const SHOWN = 50;

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
 */
export async function runWithLeakScan(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-leak-scan-'));
  mkdirSync(join(folder, KEPT.files));
  // A PostgreSQL server of the tests runs as another user, which must be able to reach its folder.
  chmodSync(folder, 0o711);
  const code = await runTests(folder, args);
  const leaks = scan(folder);
  for (const leak of leaks.slice(0, SHOWN)) process.stderr.write(`  ${leak}\n`);
  if (leaks.length === 0) rmSync(folder, { recursive: true, force: true });
  else process.stderr.write(`  all output was kept in ${folder}\n`);
  return code === 0 && leaks.length > 0 ? 1 : code;
}

async function runTests(folder: string, args: readonly string[]): Promise<number> {
  const output = openSync(join(folder, 'tests-output'), 'w');
  const child = spawn(process.execPath, [...process.execArgv, RUNNER, ...args], {
    stdio: ['ignore', output, output, process.stdout],
    env: {
      ...process.env,
      // Excludes the browser driver, which would log every frame of every page, and mocha, which would log
      // every event; neither is part of the product.
      DEBUG: '*,-pw:*,-mocha:*',
      // Runs as in production: otherwise winston writes `DEBUG` output to stdout, among the lines of the log.
      NODE_ENV: 'production',
      [REPORT_FD]: '3',
      GATEHOUSE_SWEEP: folder,
      TMPDIR: join(folder, KEPT.files),
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${PRELOAD}`,
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  closeSync(output);
  return code ?? 1;
}

/** Returns every occurrence of a secret, as text. */
function scan(folder: string): readonly string[] {
  const secrets = secretsIn(join(folder, KEPT.secrets));
  const kept = filesBelow(folder).filter(
    (path) => !path.startsWith(join(folder, KEPT.secrets)) && !INPUTS.test(relative(folder, path)),
  );
  const search = searchFor(secrets);
  let size = 0;
  const leaks = kept.flatMap((path) => {
    const bytes = readFileSync(path);
    size += bytes.length;
    return search(bytes).map(({ secret, form, at }) => {
      const hint = `${secrets[secret]?.slice(0, 4)}…`;
      return `${relative(folder, path)} at byte ${at}: the secret ${hint}, ${form}`;
    });
  });
  process.stdout.write(
    `leak scan: ${secrets.length} secrets in ${kept.length} outputs of ${Math.ceil(size / 1e6)} MB, ${leaks.length} found\n`,
  );
  return secrets.length === 0 || size === 0 ? ['nothing was kept, so nothing was proved'] : leaks;
}

function secretsIn(folder: string): readonly string[] {
  const lines = filesBelow(folder).flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'));
  // Skips values that look like references: they appear in configurations and are not secret.
  return [...new Set(lines)]
    .map((line) => JSON.parse(line) as string)
    .filter((value) => !value.startsWith('$'));
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
