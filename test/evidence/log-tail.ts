import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 50;
const PATIENCE_MS = 120_000;

/** The first line like this of those that are written to a file from now on. Throws when none came within two minutes. */
export async function nextLine(file: string, pattern: RegExp): Promise<string> {
  const fd = openSync(file, 'r');
  try {
    let at = fstatSync(fd).size;
    let begun = '';
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(LOOK_MS)) {
      const fresh = Buffer.alloc(fstatSync(fd).size - at);
      at += readSync(fd, fresh, 0, fresh.length, at);
      const lines = (begun + fresh.toString('latin1')).split('\n');
      begun = lines.pop() ?? '';
      const found = lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
    }
    throw new Error(`no line of ${file} was like ${pattern.source}`);
  } finally {
    closeSync(fd);
  }
}
