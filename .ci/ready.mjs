// Makes a checkout ready to run: installs from the lock file and builds, each only when it is missing or stale.
// Plain JavaScript without packages, because it runs before any package is there.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);

function run(command, args, why) {
  console.error(`> ${why}`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  if (error) console.error(`> ${error.message}`);
  console.error(
    `> '${command} ${args.join(' ')}' failed; the lines above say why. Run 'npm run ready' to try again.`,
  );
  process.exit(status ?? 1);
}

/** A stamp holds the hash of what a step was done from: equal means that nothing has to be done. */
function stale(stamp, key) {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== key;
}

function sourceFiles(folder) {
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function hash(files) {
  const digest = createHash('sha256');
  for (const file of files.sort()) digest.update(`${relative(root, file)}\0${readFileSync(file)}\0`);
  return digest.digest('hex');
}

const installKey = `${hash([at('package-lock.json')])} ${process.versions.modules}`;
const installStamp = at('node_modules', '.gatehouse-installed');
if (stale(installStamp, installKey)) {
  run(
    'npm',
    ['ci', '--no-audit', '--no-fund'],
    'installing the packages of package-lock.json (a minute or two: better-sqlite3 may be compiled)',
  );
  writeFileSync(installStamp, installKey);
}

const buildKey = hash([
  at('tsconfig.json'),
  at('package-lock.json'),
  at('.ci', 'bundle.js'),
  ...['src', 'plugins', 'test', 'bench', 'console'].flatMap(sourceFiles),
]);
const buildStamp = at('dist', '.gatehouse-built');
if (stale(buildStamp, buildKey)) {
  // Files that were removed from src must not live on in dist: the test runner and the plugin loader read folders.
  rmSync(at('dist'), { recursive: true, force: true });
  run(process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], 'building');
  vite(['--config', '.ci/bundle.js'], 'building the command');
  for (const mode of ['console', 'task']) vite(['console', '--mode', mode], `building the pages (${mode})`);
  chmodSync(at('dist', 'bin', 'gatehouse.js'), 0o755);
  linkCommand();
  writeFileSync(buildStamp, buildKey);
}

function vite(words, why) {
  const script = at('node_modules', 'vite', 'bin', 'vite.js');
  run(process.execPath, [script, 'build', ...words, '--logLevel', 'warn'], why);
}

/** Installed as a package, npm links the command; in a checkout `npx gatehouse` finds it here. */
function linkCommand() {
  const command = at('node_modules', '.bin', 'gatehouse');
  rmSync(command, { force: true });
  symlinkSync(join('..', '..', 'dist', 'bin', 'gatehouse.js'), command);
}
