import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Files that Node.js loads as modules, and package.json. */
const CODE_EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.json', '.node', '.wasm']);

/** Maximum number of files that a stamp covers. */
const MAX_FILES = 500;

/**
 * Returns a text that differs after a change of the code of a package: path, size and time of each file, without the
 * packages that are installed below it.
 */
export async function codeStampOf(folder: string): Promise<string> {
  const files = (await codeFiles(folder)).slice(0, MAX_FILES);
  const lines = files.map(async (file) => {
    const { size, mtimeMs } = await stat(file);
    return `${file} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(lines)).join('\n');
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
