// Installs the packages of the lock file into node_modules, only as many as a command needs. Plain JavaScript without
// packages, because it runs before any package is installed.
//
//   node scripts/packages.mjs server | pages | tests | all | site
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash } from './compile.mjs';
import { run } from './step.mjs';

/** Sets of packages, each with what the sets before it contain, and the options of npm that select it. */
const SETS = [
  { name: 'server', about: 'the server and its bundler', select: ['--workspaces=false'] },
  { name: 'pages', about: 'the pages', select: ['-w', 'console', '--include-workspace-root'] },
  { name: 'tests', about: 'npm test', select: ['-w', 'console', '-w', 'test', '--include-workspace-root'] },
  { name: 'all', about: 'all tests and checks', select: [] },
];

/** The file that decides what is installed. It repeats the dependencies of every manifest. */
const LOCK_FILE = 'package-lock.json';

/** No script of a package is needed: each binary comes in a package. */
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs a set of packages unless node_modules contains it already. Packages are added to a node_modules folder of the
 * same lock file, so that running programs keep theirs. Otherwise the folder is replaced.
 */
export async function installPackages(root, name) {
  const stamp = join(root, 'node_modules', '.gatehouse-installed');
  const key = hash(readFileSync(join(root, LOCK_FILE)));
  const [installedKey, installedName] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  const installed = SETS.findIndex((set) => set.name === installedName);
  const isCurrent = installedKey === key;
  const wanted = SETS.findIndex((set) => set.name === name);
  if (isCurrent && installed >= wanted) return;
  const set = SETS[Math.max(wanted, installed)];
  // With --no-save, npm install changes neither a manifest nor the lock file.
  const command = isCurrent ? ['install', '--no-save'] : ['ci'];
  await run(`installing the packages of ${set.about}`, ['npm', ...command, ...set.select, ...OPTIONS], root);
  writeFileSync(stamp, `${key} ${set.name}`);
}

/** Installs the generator of the documentation site, which has a lock file and a node_modules folder of its own. */
export async function installSitePackages(root) {
  const folder = join(root, 'site');
  const stamp = join(folder, 'node_modules', '.gatehouse-installed');
  const key = hash(...['package.json', 'package-lock.json'].map((file) => readFileSync(join(folder, file))));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  await run('installing the packages of the documentation site', ['npm', 'ci', ...OPTIONS], folder);
  writeFileSync(stamp, key);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const name = process.argv[2];
  const root = fileURLToPath(new URL('..', import.meta.url));
  if (name === 'site') await installSitePackages(root);
  else if (SETS.some((set) => set.name === name)) await installPackages(root, name);
  else {
    console.error(`name a set of packages: ${SETS.map((set) => set.name).join(', ')}, site`);
    process.exit(64);
  }
}
