import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { mapConcurrently } from './map-concurrently.js';

interface FileState {
  /** Changes with every change of the content, of the permissions, or of the file that the name refers to. */
  readonly text: string;
  /** Time of the last change, in milliseconds since 1970 by the clock of the file system. */
  readonly changedMs: number;
}

/** Returns the state of a file, following links; `undefined` if it cannot be read. */
export async function stateOf(file: string): Promise<FileState | undefined> {
  try {
    return asState(await stat(file, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** Maximum number of files that are examined at the same time. */
const CONCURRENT_FILES = 64;

/**
 * Returns the states of files in their order. At the start of the process, when no call waits, it asks the system without
 * the threads of libuv, which takes a tenth of the time.
 */
export function statesOf(
  files: readonly string[],
  { atStart = false } = {},
): Promise<readonly (FileState | undefined)[]> {
  return atStart ? Promise.resolve(files.map(stateNow)) : mapConcurrently(files, CONCURRENT_FILES, stateOf);
}

function stateNow(file: string): FileState | undefined {
  try {
    return asState(statSync(file, { bigint: true }));
  } catch {
    return undefined;
  }
}

function asState({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileState {
  const changedNs = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return {
    text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
    changedMs: Number(changedNs / 1_000_000n),
  };
}
