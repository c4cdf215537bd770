import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { tierOf } from './tiers.js';

/**
 * Tiers whose tests are selected by imports. Tests of whole servers import all files, so any change would
 * select them.
 */
const BY_IMPORT = ['shape', 'unit', 'integration'];

/**
 * Returns the test files (of `files`, compiled) that a change since the last commit can break: those of the
 * tiers shape, unit and integration that import a changed file, directly or through others, the nearest first; and
 * changed test files of every tier.
 */
export function testsOfChanges(root: string, files: readonly string[]): readonly string[] {
  const changed = new Set(changedFiles(root));
  const distances = files.map((file) => [file, distanceTo(changed, file)] as const);
  return distances
    .filter(([file, distance]) => distance === 0 || (distance !== undefined && isByImport(root, file)))
    .sort(([, one = 0], [, other = 0]) => one - other)
    .map(([file]) => file);
}

/**
 * Returns the test files (of `files`, compiled) that differ from the last commit, and for each other changed file
 * below `test/` the nearest test file that imports it.
 */
export function changedTests(root: string, files: readonly string[]): readonly string[] {
  const changed = changedFiles(root).filter((file) => file.startsWith(join(root, 'dist', 'test')));
  return [...new Set(changed.flatMap((file) => (files.includes(file) ? [file] : nearestTo(file, files))))];
}

/** Returns the file with the fewest imports between it and the target, as a list. */
function nearestTo(target: string, files: readonly string[]): readonly string[] {
  const distances = files.map((file) => [file, distanceTo(new Set([target]), file) ?? Infinity] as const);
  const nearest = Math.min(...distances.map(([, distance]) => distance));
  return distances
    .filter(([, distance]) => distance === nearest && distance < Infinity)
    .map(([file]) => file)
    .slice(0, 1);
}

function isByImport(root: string, file: string): boolean {
  const path = relative(join(root, 'dist', 'test'), file)
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');
  return BY_IMPORT.includes(tierOf(path) ?? '');
}

/** Returns the compiled forms of the TypeScript files that differ from the last commit, including new files. */
function changedFiles(root: string): readonly string[] {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const differing = git('diff', '--name-only', '--relative', 'HEAD');
  const added = git('ls-files', '--others', '--exclude-standard');
  return `${differing}${added}`
    .split('\n')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, 'dist', path.replace(/\.ts$/, '.js')));
}

/**
 * Returns the number of imports between a file and the nearest target; 0 for a target, `undefined` if it
 * reaches none.
 */
function distanceTo(targets: ReadonlySet<string>, start: string): number | undefined {
  const seen = new Set([start]);
  let layer: readonly string[] = [start];
  for (let distance = 0; layer.length > 0; distance += 1) {
    if (layer.some((file) => targets.has(file))) return distance;
    layer = layer.flatMap(importsOf).filter((file) => !seen.has(file) && seen.add(file));
  }
  return undefined;
}

const known = new Map<string, readonly string[]>();

/** Returns the compiled project files that a compiled file imports. */
function importsOf(file: string): readonly string[] {
  const before = known.get(file);
  if (before) return before;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const found = [...text.matchAll(/(?:from|import|import\()\s*["'](\.[^"']+\.js)["']/g)].map(
    ([, path = '']) => resolve(dirname(file), path),
  );
  known.set(file, found);
  return found;
}
