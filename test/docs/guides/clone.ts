import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../markdown.js';

/**
 * Clones the checkout, with its uncommitted changes, and links the installed packages. Nothing is built in the clone. The command
 * of the clone is linked by its build.
 */
export function cloneCheckout(folder: string): void {
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
