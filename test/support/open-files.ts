import { readdirSync, readlinkSync, realpathSync } from 'node:fs';

/** Whether this system tells what a process has open. */
export const TELLS_OPEN_FILES = process.platform === 'linux';

/** What this process has open of a folder, or of what is in it (Linux). Whatever else opens or closes meanwhile does not count. */
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
    // That of the reading itself is closed by now.
    return '';
  }
}
