import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/docs/markdown.js';

/** Runs a command in a folder and returns its standard output. */
export function run(cwd: string, [program = '', ...words]: readonly string[]): string {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, shell, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Packs gatehouse into a folder. Returns the name of the tarball. */
export function packGatehouse(folder: string): string {
  return run(ROOT, ['npm', 'pack', '--silent', '--pack-destination', folder]).trim();
}

/** Installs a tarball in a new, private package. Scripts of packages do not run, so no compiler is needed. */
export function installTarball(home: string, tarball: string): void {
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  run(home, ['npm', 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
}
