import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program in the folders of `PATH`; undefined if it is in none. */
export function findProgram(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** Returns true for a file that this user may execute. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
