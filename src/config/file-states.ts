import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listAdapterFiles } from './adapter-files.js';

/** Stands for the state of all files of a configuration, without reading them: a change of one changes it. */
export async function fileStates(path: string): Promise<string> {
  const { files } = await listAdapterFiles(join(dirname(path), 'adapters'));
  const states = await Promise.all([path, ...files.map(({ file }) => file)].map(stateOf));
  return JSON.stringify(states);
}

async function stateOf(file: string): Promise<readonly unknown[]> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    return [file, ino, size, mtimeMs, ctimeMs];
  } catch {
    return [file];
  }
}
