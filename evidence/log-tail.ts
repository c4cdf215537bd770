import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { waitUntil } from './wait-until.js';

/** Returns the next matching line that is written to a file. Throws if no line matches within two minutes. */
export async function nextLine(file: string, pattern: RegExp): Promise<string> {
  const fd = openSync(file, 'r');
  let at = fstatSync(fd).size;
  let begun = '';
  let found: string | undefined;
  try {
    await waitUntil(() => {
      const fresh = Buffer.alloc(fstatSync(fd).size - at);
      at += readSync(fd, fresh, 0, fresh.length, at);
      const lines = (begun + fresh.toString('latin1')).split('\n');
      begun = lines.pop() ?? '';
      return (found = lines.find((line) => pattern.test(line))) !== undefined;
    });
    return found ?? '';
  } finally {
    closeSync(fd);
  }
}
