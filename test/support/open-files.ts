import { readdirSync, readlinkSync, realpathSync } from 'node:fs';

/** True if this system reports the open files of a process. */
export const TELLS_OPEN_FILES = process.platform === 'linux';

/**
 * Returns the open files of this process in a folder, including the folder (Linux). Files outside of the
 * folder do not count.
 */
export function openBelow(folder: string): readonly string[] {
  const real = realpathSync(folder);
  return readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((target) => `${target}/`.startsWith(`${real}/`));
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The descriptor that this function used is closed by now.
    return '';
  }
}
