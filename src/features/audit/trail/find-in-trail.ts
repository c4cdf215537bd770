import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../../core/problem.js';
import { type AuditEntry, type AuditPage, type AuditQuery, beginPage } from '../audit-trail.js';
import { readAuditLine } from './audit-line.js';
import { openIfExists, readLinesBackward } from './read-backward.js';
import { chainFiles } from './trail-files.js';

/** Maximum number of bytes that one search reads. */
const MAX_SEARCHED_BYTES = 33_554_432;

/** Number of lines after which a search yields to the event loop. */
const LINES_PER_TURN = 500;

/**
 * Searches an audit file, and those of the other processes of the server, newest record first. Skips lines that are not
 * records.
 */
export async function findInTrail(
  path: string,
  query: AuditQuery,
  maxBytes = MAX_SEARCHED_BYTES,
): Promise<AuditPage> {
  // A file may have been moved away; the next record creates it again.
  const opened = await Promise.all((await chainFiles(path)).map(openIfExists));
  const files = opened.filter((file) => file !== undefined);
  try {
    return await search(await readersOf(files, query.before), { query, maxBytes });
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

async function search(
  readers: readonly Reader[],
  { query, maxBytes }: { readonly query: AuditQuery; readonly maxBytes: number },
): Promise<AuditPage> {
  const page = beginPage(query);
  const waiting = readers.filter((reader) => reader.entry);
  for (let count = 1; waiting.length > 0; count += 1) {
    const newest = waiting.reduce((one, other) => (timeOf(other) > timeOf(one) ? other : one));
    const { entry } = newest;
    await newest.advance();
    if (!newest.entry) waiting.splice(waiting.indexOf(newest), 1);
    // The cursor continues after this record in its file, and at the same records in the others.
    const cursor = readers.map((reader) => `${reader.inode}-${reader.at}`).join('_');
    const fullPage = entry && page.offer(entry, cursor);
    if (fullPage) return fullPage;
    const read = readers.reduce((sum, reader) => sum + reader.read(), 0);
    if (read >= maxBytes && waiting.length > 0) return page.stop(cursor);
    if (count % LINES_PER_TURN === 0) await setImmediate();
  }
  return page.end();
}

function timeOf({ entry }: Reader): string {
  return entry?.time ?? '';
}

/** Reads one file backward, record by record. */
class Reader {
  readonly inode: number;
  /** The record that was read last; undefined at the begin of the file. */
  entry: AuditEntry | undefined;
  /** Offset after {@link entry}; the offset where all records were read is 0. */
  at: number;
  readonly #lines: AsyncGenerator<{ readonly bytes: Buffer; readonly start: number }>;
  readonly #begin: number;
  /** Offset of {@link entry}. */
  #start: number;

  constructor(file: FileHandle, { inode, begin }: { readonly inode: number; readonly begin: number }) {
    this.inode = inode;
    this.at = this.#begin = this.#start = begin;
    this.#lines = readLinesBackward(file, begin);
  }

  /** Reads the next older record. */
  async advance(): Promise<void> {
    this.at = this.#start;
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
      const { bytes, start } = line.value;
      this.#start = start;
      this.entry = readAuditLine(bytes);
      if (this.entry) return;
    }
    this.entry = undefined;
  }

  /** Number of bytes that were read. */
  read(): number {
    return this.#begin - this.#start;
  }
}

/**
 * Returns the readers of the files from a cursor on, each with its first record. A cursor has the inode and an offset of each
 * file, so that the cursor of a file that was moved away is invalid for the new file.
 */
async function readersOf(
  files: readonly FileHandle[],
  before: string | undefined,
): Promise<readonly Reader[]> {
  const offsets = before === undefined ? undefined : parseCursor(before);
  const readers = await Promise.all(
    files.map(async (file) => {
      const { ino: inode, size } = await file.stat();
      const begin = offsets ? offsets.get(String(inode)) : size;
      offsets?.delete(String(inode));
      if (begin !== undefined && begin > size) throw invalidCursor();
      // A file that is younger than the cursor has only newer records.
      const reader = new Reader(file, { inode, begin: begin ?? 0 });
      await reader.advance();
      return reader;
    }),
  );
  if (offsets && offsets.size > 0) throw invalidCursor();
  return readers;
}

function parseCursor(text: string): Map<string, number> {
  const parts = text.split('_').map((part) => /^(\d{1,20})-(\d{1,15})$/.exec(part));
  return new Map(
    parts.map((match) => {
      if (!match) throw invalidCursor();
      return [match[1] ?? '', Number(match[2])];
    }),
  );
}

function invalidCursor(): Problem {
  const detail = 'before is not a cursor of the current audit file: start again without it.';
  return new Problem('invalid_request', detail);
}
