import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../markdown.js';
import { followGuides } from './follow-guides.js';
import { openFirstInstallation, type OpenSetting } from './installations.js';
import { REAL } from './shell.js';

followGuides({ 'README.md': openClone });

/**
 * `npm run demo` ends after its tour. `npm test` prints its help, because a test cannot run the suite that it belongs to; `.ci/run`
 * runs it in a clone.
 */
const NPM = `case "$*" in
  'run demo') ${REAL} npm run demo --silent -- --once ;;
  test) ${REAL} npm test --silent -- --help ;;
esac
exit 64`;

/** The command of the clone, which `npm run demo` has built. */
const GATEHOUSE = `[ "$1" != serve ] || free-port "$@"
exec node_modules/.bin/gatehouse "$@"`;

/** Clones the checkout beside the systems around gatehouse. README.md writes its configuration itself. */
async function openClone(): Promise<OpenSetting> {
  const { folder: services, ...setting } = await openFirstInstallation();
  const folder = join(services, 'gatehouse');
  cloneCheckout(folder);
  rmSync(join(folder, 'config/gatehouse.yaml'));
  const close = async (): Promise<void> => {
    await setting.close();
    removeSources(folder);
  };
  return {
    ...setting,
    close,
    folder,
    programs: { npm: NPM, gatehouse: GATEHOUSE, node: `exec "${process.execPath}" "$@"` },
  };
}

/** Removes the sources and the build of a clone, which contain the secrets of tests, before the leak scan searches the rest. */
function removeSources(folder: string): void {
  const written = ['config', 'data', 'first'];
  for (const name of readdirSync(folder).filter((one) => !written.includes(one)))
    rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Clones the checkout, with its uncommitted changes, and links the installed packages. Nothing is built in the clone. The command
 * of the clone is linked by its build.
 */
function cloneCheckout(folder: string): void {
  git('clone', '--quiet', '--shared', ROOT, folder);
  for (const path of git('ls-files', '-z', '--deleted').split('\0').filter(Boolean))
    rmSync(join(folder, path));
  for (const path of git('ls-files', '-z', '--modified', '--others', '--exclude-standard')
    .split('\0')
    .filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { force: true });
  }
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '.bin'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  copyFileSync(join(ROOT, 'node_modules/.gatehouse-installed'), join(packages, '.gatehouse-installed'));
}

function git(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
