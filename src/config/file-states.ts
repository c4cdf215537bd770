import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listAdapterFiles } from './adapter-files.js';

/** State of a file in the file system. */
export interface FileState {
  /** Changes with every change of the content, of the permissions, or of the file that the name refers to. */
  readonly text: string;
  /** Time of the last change, in milliseconds since 1970 by the clock of the file system. */
  readonly changedMs: number;
}

/** Returns the state of a file, following links; `undefined` if it cannot be read. */
export async function stateOf(file: string): Promise<FileState | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    const changedNs = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
    return {
      text: [dev, ino, size, mtimeNs, ctimeNs].join(' '),
      changedMs: Number(changedNs / 1_000_000n),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns a fingerprint of the state of all files of a configuration, without reading them. Any change of a
 * file changes it.
 */
export async function fileStates(path: string): Promise<string> {
  const { files } = await listAdapterFiles(join(dirname(path), 'adapters'));
  const all = [path, ...files.map(({ file }) => file)];
  const states = await Promise.all(all.map(async (file) => [file, (await stateOf(file))?.text]));
  return JSON.stringify(states);
}
