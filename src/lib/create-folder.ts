import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and the folders above it, if they do not exist. Throws the error of the system. The recursive `mkdir` of Node.js
 * does not return where a folder exists in which nothing can be created, for example `/proc`.
 */
export function createFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    const parent = dirname(path);
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || existsSync(parent)) throw error;
    createFolder(parent, mode);
    createFolder(path, mode);
  }
}
