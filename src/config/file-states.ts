import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listAdapterFiles } from './adapter-files.js';

/** What a file system tells of a file. */
export interface FileState {
  /** Another one after every change of the content, of the rights, or of the file behind the name. */
  readonly text: string;
  /** When it was changed last, in milliseconds since 1970 by the clock of the file system. */
  readonly changedMs: number;
}

/** State of a file, of that behind a link; `undefined` when it cannot be told. */
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

/** Stands for the state of all files of a configuration, without reading them: a change of one changes it. */
export async function fileStates(path: string): Promise<string> {
  const { files } = await listAdapterFiles(join(dirname(path), 'adapters'));
  const all = [path, ...files.map(({ file }) => file)];
  const states = await Promise.all(all.map(async (file) => [file, (await stateOf(file))?.text]));
  return JSON.stringify(states);
}
