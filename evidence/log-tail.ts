import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { waitUntil } from './wait-until.js';

/** Returns the next matching line that is written to a file. Throws if no line matches within two minutes. */
export async function nextLine(file: string, pattern: RegExp): Promise<string> {
  const fd = openSync(file, 'r');
  let at = fstatSync(fd).size;
  let begun = '';
  let found: string | undefined;
  try {
    await waitUntil(() => {
      const fresh = bytesSince(fd, at);
      at += fresh.length;
      const lines = (begun + fresh.toString('latin1')).split('\n');
      begun = lines.pop() ?? '';
      return (found = lines.find((line) => pattern.test(line))) !== undefined;
    });
    return found ?? '';
  } finally {
    closeSync(fd);
  }
}

/** Returns what a file contains after this number of bytes; nothing if it does not exist. */
export function textSince(file: string, bytes: number): string {
  if (!existsSync(file)) return '';
  const fd = openSync(file, 'r');
  try {
    return bytesSince(fd, bytes).toString('latin1');
  } finally {
    closeSync(fd);
  }
}

function bytesSince(fd: number, at: number): Buffer {
  const fresh = Buffer.alloc(fstatSync(fd).size - at);
  return fresh.subarray(0, readSync(fd, fresh, 0, fresh.length, at));
}
