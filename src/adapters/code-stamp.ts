import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Files that Node.js loads as modules, and package.json. */
const CODE_EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.json', '.node', '.wasm']);

/** Maximum number of files that a stamp covers. */
const MAX_FILES = 500;

/**
 * Returns the files of the code of a package, without the packages that are installed below it, and a text that differs after
 * each change: path, size and time of each file. Both are empty if the package is missing.
 */
export async function codeOf(
  folder = '',
): Promise<{ readonly files: readonly string[]; readonly stamp: string }> {
  const files = folder === '' ? [] : (await codeFiles(folder).catch(() => [])).slice(0, MAX_FILES);
  const lines = files.map(async (file) => {
    const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
    return `${file} ${size} ${mtimeMs}`;
  });
  return { files, stamp: (await Promise.all(lines)).join('\n') };
}

async function codeFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.sort(byName).map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return CODE_EXTENSIONS.has(extname(entry.name)) ? [path] : [];
    const isOwn = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
    return isOwn ? codeFiles(path) : [];
  });
  return (await Promise.all(files)).flat();
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}
