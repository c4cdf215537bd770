import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { AuditRow, AuditStore, ChainVerification, VerificationWatch } from '../audit-trail.js';
import type { ChainHead } from '../chain.js';
import { isChained, readAuditLine } from './audit-line.js';
import { auditKey } from './key.js';
import { readAt } from './read-backward.js';
import { type TrailEntry, Verifier } from './verifier.js';

/** A line of a file, with its line feed. */
export interface FileLine {
  readonly bytes: Buffer;
  readonly start: number;
  /** True if the line ends with a line feed. */
  readonly isTerminated: boolean;
}

/** Number of bytes per read. */
const BLOCK_BYTES = 262_144;

const LINE_FEED = 10;

/** Maximum length of a line, in bytes. A longer line is split into several lines. */
const MAX_LINE_BYTES = 16_777_216;

/** Number of attempts to read the end of a line that a server currently writes. */
const LINE_END_ATTEMPTS = 10;

/** Pause between these attempts, in milliseconds. */
const LINE_END_PAUSE_MS = 50;

/**
 * Yields, in batches, the lines that a file has at the start of the call. Waits briefly for the end of an
 * incomplete last line.
 */
export async function* readLinesForward(path: string): AsyncGenerator<readonly FileLine[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    let rest: Buffer = Buffer.alloc(0);
    for (let at = 0; at < size;) {
      const block = await readAt(file, at, Math.min(BLOCK_BYTES, size - at));
      if (block.length === 0) break;
      const parsed = splitLines(Buffer.concat([rest, block]), at - rest.length);
      at += block.length;
      rest = parsed.rest;
      yield parsed.lines;
    }
    if (rest.length > 0) yield [await readLastLine(file, rest, size)];
  } finally {
    await file.close();
  }
}

/**
 * Returns the last line. Waits for its line feed, because a server may currently write the line. A line that
 * a crash has torn never has a line feed.
 */
async function readLastLine(file: FileHandle, rest: Buffer, at: number): Promise<FileLine> {
  const start = at - rest.length;
  for (let tries = 0; tries < LINE_END_ATTEMPTS; tries += 1) {
    const bytes = Buffer.concat([rest, await readAt(file, at, BLOCK_BYTES)]);
    const feed = bytes.indexOf(LINE_FEED);
    if (feed !== -1) return { bytes: bytes.subarray(0, feed + 1), start, isTerminated: true };
    await setTimeout(LINE_END_PAUSE_MS);
  }
  return { bytes: rest, start, isTerminated: false };
}

function splitLines(
  bytes: Buffer,
  offset: number,
): { readonly lines: readonly FileLine[]; readonly rest: Buffer } {
  const lines: FileLine[] = [];
  let start = 0;
  for (let feed = bytes.indexOf(LINE_FEED); feed !== -1; feed = bytes.indexOf(LINE_FEED, start)) {
    lines.push({ bytes: bytes.subarray(start, feed + 1), start: offset + start, isTerminated: true });
    start = feed + 1;
  }
  const rest = bytes.subarray(start);
  if (rest.length <= MAX_LINE_BYTES) return { lines, rest };
  lines.push({ bytes: rest, start: offset + start, isTerminated: false });
  return { lines, rest: Buffer.alloc(0) };
}

interface FilesToVerify {
  /** Files of one chain, oldest first. */
  readonly files: readonly string[];
  /** 64 hexadecimal digits. */
  readonly key: string;
  /** A record that the chain must contain. */
  readonly expected?: ChainHead | undefined;
  /** True if places name the file, also of a single file. */
  readonly isNamed?: boolean;
}

/** Verifies a chain across files up to its first break. A server may append to the last file concurrently. */
export async function verifyFiles(
  { files, key, expected, isNamed = files.length > 1 }: FilesToVerify,
  watch: VerificationWatch = {},
): Promise<ChainVerification> {
  const verifier = new Verifier(auditKey(key), expected ? [expected] : []);
  const advance = progressOf(watch);
  for (const file of files) {
    const name = isNamed ? `${file}, ` : '';
    if (!(await verifyFile(verifier, { file, name }, advance))) break;
  }
  return verifier.end();
}

/** Returns the function that a verification calls after each batch of entries. It yields to the event loop. */
function progressOf({ onProgress, signal }: VerificationWatch): (entries: number) => Promise<void> {
  let count = 0;
  return async (entries) => {
    signal?.throwIfAborted();
    count += entries;
    onProgress?.(count);
    await setImmediate();
  };
}

interface NamedFile {
  readonly file: string;
  /** Text before the number of a line. */
  readonly name: string;
}

async function verifyFile(
  verifier: Verifier,
  { file, name }: NamedFile,
  advance: (entries: number) => Promise<void>,
): Promise<boolean> {
  let number = 0;
  let isTorn = false;
  for await (const lines of readLinesForward(file)) {
    for (const line of lines) {
      number += 1;
      isTorn = !line.isTerminated;
      if (!verifier.take(entryOfLine(line, `${name}line ${number}`))) return false;
    }
    await advance(lines.length);
  }
  return verifier.endPart(isTorn);
}

function entryOfLine({ bytes, start, isTerminated }: FileLine, place: string): TrailEntry {
  const line = isTerminated ? readAuditLine(bytes.subarray(0, -1)) : undefined;
  if (line && isChained(line)) return { place, record: line, bytes, start };
  return { place, bytes, start, isFormer: line !== undefined };
}

/** Verifies the chain of the store up to its first break. Servers may append to the store concurrently. */
export async function verifyStore(
  store: Pick<AuditStore, 'key' | 'head' | 'rows'>,
  expected?: ChainHead,
  watch: VerificationWatch = {},
): Promise<ChainVerification> {
  // The head is read first. Servers may append later rows, but this record must exist.
  const anchors = [await store.head(), ...(expected ? [expected] : [])];
  const verifier = new Verifier(auditKey(await store.key()), anchors);
  const advance = progressOf(watch);
  for await (const rows of store.rows()) {
    if (!rows.every((row) => verifier.take(entryOfRow(row)))) break;
    await advance(rows.length);
  }
  verifier.endPart(false);
  return verifier.end();
}

function entryOfRow({ id, entry }: AuditRow): TrailEntry {
  return isChained(entry) ? { place: `id ${id}`, record: entry } : { place: `id ${id}`, isFormer: true };
}
