import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder that keeps packages of the bench between runs. */
const FOLDER = fileURLToPath(new URL('../../../bench/results/.peers', import.meta.url));

/** A program of `bench/peers` and the packages, with their versions, that it needs. */
export interface Peer {
  readonly program: string;
  readonly packages: readonly string[];
}

/** Returns the path of the installed program, next to its packages. */
export function programOf({ program }: Peer): string {
  return join(folderOf(program), program);
}

/** Installs a peer with npm unless it is installed; returns the reason if npm fails. */
export function install({ program, packages }: Peer): string | undefined {
  const folder = folderOf(program);
  const stamp = join(folder, '.installed');
  mkdirSync(folder, { recursive: true });
  copyFileSync(
    fileURLToPath(new URL(`../../../bench/peers/${program}`, import.meta.url)),
    programOf({ program, packages }),
  );
  if (existsSync(`${stamp}-${versionsOf(packages)}`)) return undefined;
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, ...packages],
    { encoding: 'utf8', timeout: 300_000 },
  );
  if (status !== 0) return `npm could not install ${packages.join(', ')}: ${lastLine(stderr)}`;
  writeFileSync(`${stamp}-${versionsOf(packages)}`, '');
  return undefined;
}

function folderOf(program: string): string {
  return join(FOLDER, basename(program).replace(/\.\w+$/, ''));
}

function versionsOf(packages: readonly string[]): string {
  return packages.map((one) => one.slice(one.lastIndexOf('@') + 1)).join('-');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
