// Prepares a checkout: installs the packages of the lock file and builds, each only if the result is missing or stale.
// Plain JavaScript without packages, because it runs before any package is installed.
//
//   node scripts/ready.mjs [code] [command] [pages]     parts to build (default: all)
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, compiledHash, hash } from './compile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);

const PARTS = ['code', 'command', 'pages'];
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : PARTS;
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; the parts are ${PARTS.join(', ')}`);
  process.exit(64);
}

const installed = `${hashFiles(at('package-lock.json'))} ${process.versions.modules}`;
step(at('node_modules', '.gatehouse-installed'), installed, () => {
  run(
    'npm',
    ['ci', '--no-audit', '--no-fund'],
    'installing the packages of package-lock.json (a minute or two: better-sqlite3 may be compiled)',
  );
});

const started = Date.now();
const written = compile(root);
if (written > 0)
  console.error(`> compiled ${written} files in ${((Date.now() - started) / 1000).toFixed(1)} s`);

if (wanted.includes('command')) {
  const key = `${compiledHash(root, 'src', 'plugins')} ${hashFiles(at('package-lock.json'), at('scripts', 'bundle.js'))}`;
  step(at('dist', '.command-built'), key, () => {
    vite(['--config', 'scripts/bundle.js'], 'building the command');
    chmodSync(at('dist', 'bin', 'gatehouse.js'), 0o755);
    linkCommand();
  });
}

if (wanted.includes('pages')) {
  // The only folders of the server that the pages import (test/shape/pages.test.ts).
  const server = compiledHash(root, 'src/core', 'src/json-schema/engine');
  step(
    at('dist', '.pages-built'),
    `${server} ${hashFiles(at('package-lock.json'), ...filesBelow('console'))}`,
    () => {
      for (const mode of ['console', 'task'])
        vite(['console', '--mode', mode], `building the pages (${mode})`);
    },
  );
}

/** Runs a step unless its stamp file contains the same key, which is the hash of the inputs of the step. */
function step(stamp, key, carryOut) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  carryOut();
  writeFileSync(stamp, key);
}

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
    `> '${command} ${args.join(' ')}' failed; see the lines above. Run 'npm run ready' to try again.`,
  );
  process.exit(status ?? 1);
}

function vite(words, why) {
  const script = at('node_modules', 'vite', 'bin', 'vite.js');
  run(process.execPath, [script, 'build', ...words, '--logLevel', 'warn'], why);
}

function filesBelow(folder) {
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function hashFiles(...files) {
  return hash(...files.sort().flatMap((file) => [relative(root, file), readFileSync(file)]));
}

/** Links the command for `npx gatehouse` in a checkout. In an installed package, npm creates the link. */
function linkCommand() {
  const command = at('node_modules', '.bin', 'gatehouse');
  rmSync(command, { force: true });
  symlinkSync(join('..', '..', 'dist', 'bin', 'gatehouse.js'), command);
}
