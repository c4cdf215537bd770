import { type FileHandle, open } from 'node:fs/promises';

/** A line of a file, without its line feed. */
export interface Line {
  readonly bytes: Buffer;
  /** Offset of the line in the file. */
  readonly start: number;
}

/** Number of bytes per read. */
const BLOCK_BYTES = 262_144;

const LINE_FEED = 10;

/** Maximum length of a line, in bytes. Records and torn records are shorter. */
const MAX_LINE_BYTES = 16_777_216;

/**
 * Yields the lines of a file before the offset `end`, the last line first. Skips the bytes after the last
 * line feed. Throws an Error if a line is longer than 16 MiB.
 */
export async function* readLinesBackward(file: FileHandle, end: number): AsyncGenerator<Line> {
  let isTerminated = false;
  // The parts of the current line so far, in the order of the file.
  let parts: Buffer[] = [];
  let length = 0;
  for (let at = end; at > 0;) {
    const start = Math.max(0, at - BLOCK_BYTES);
    const block = await readAt(file, start, at - start);
    let lineEnd = block.length;
    for (let feed = feedBefore(block, lineEnd); feed !== -1; feed = feedBefore(block, lineEnd)) {
      parts.unshift(block.subarray(feed + 1, lineEnd));
      if (isTerminated) yield { bytes: Buffer.concat(parts), start: start + feed + 1 };
      isTerminated = true;
      parts = [];
      lineEnd = feed;
    }
    parts.unshift(block.subarray(0, lineEnd));
    length = (lineEnd < block.length ? 0 : length) + lineEnd;
    if (length > MAX_LINE_BYTES) throw new Error('it has a line that is too long for a record; move it away');
    at = start;
  }
  if (isTerminated) yield { bytes: Buffer.concat(parts), start: 0 };
}

/** Returns the index of the last line feed before `end`, or -1. A negative index would count from the end. */
function feedBefore(block: Buffer, end: number): number {
  return end === 0 ? -1 : block.lastIndexOf(LINE_FEED, end - 1);
}

/** Reads `length` bytes from the offset `start`, or fewer bytes at the end of the file. */
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
export async function openIfExists(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
