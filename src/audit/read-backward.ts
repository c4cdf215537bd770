import { type FileHandle, open } from 'node:fs/promises';

/** A line of a file, without its line feed. */
export interface Line {
  readonly bytes: Buffer;
  /** Offset of the line in the file. */
  readonly start: number;
}

/** Number of bytes read at a time. */
const BLOCK = 262_144;

const LINE_FEED = 10;

/** Maximum length of a line, in bytes. Records, and the parts that a crash leaves of them, are shorter. */
const LONGEST = 16_777_216;

/**
 * Returns the lines of a file before `end`, the last line first. Skips the bytes after the last line feed.
 * Throws if a line is longer than 16 MiB.
 */
export async function* linesBack(file: FileHandle, end: number): AsyncGenerator<Line> {
  let isWhole = false;
  // Parts of the current line that have been read.
  let rest: Buffer[] = [];
  let length = 0;
  for (let at = end; at > 0;) {
    const start = Math.max(0, at - BLOCK);
    const block = await readAt(file, start, at - start);
    let right = block.length;
    for (let feed = feedBefore(block, right); feed !== -1; feed = feedBefore(block, right)) {
      rest.unshift(block.subarray(feed + 1, right));
      if (isWhole) yield { bytes: Buffer.concat(rest), start: start + feed + 1 };
      isWhole = true;
      rest = [];
      right = feed;
    }
    rest.unshift(block.subarray(0, right));
    length = (right < block.length ? 0 : length) + right;
    if (length > LONGEST) throw new Error('it has a line that is too long for a record; move it away');
    at = start;
  }
  if (isWhole) yield { bytes: Buffer.concat(rest), start: 0 };
}

/** Returns the last line feed before `right`, or -1. A negative position would count from the end. */
function feedBefore(block: Buffer, right: number): number {
  return right === 0 ? -1 : block.lastIndexOf(LINE_FEED, right - 1);
}

/** Reads `length` bytes, or fewer if the file ends before. */
export async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(block, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}

/** Opens a file for reading; `undefined` if the file does not exist. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
