import { stat } from 'node:fs/promises';

/** State of a file in the file system. */
interface FileState {
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

/** Maximum number of files of a configuration that are examined at the same time. */
export const CONCURRENT_FILES = 64;
