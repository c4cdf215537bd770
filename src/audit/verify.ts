import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ChainHead } from '../core/audit-chain.js';
import type { AuditRow, AuditStore } from '../core/audit-store.js';
import { auditKey } from './key.js';
import { isChained, readAuditLine } from './audit-line.js';
import { type Found, type ChainVerification, Verifier } from './verifier.js';
import { type FileHandle, open } from 'node:fs/promises';
import { readAt } from './read-backward.js';

/** A line of a file, with its line feed. */
export interface FileLine {
  readonly bytes: Buffer;
  readonly start: number;
  /** False for bytes after the last line feed. */
  readonly isWhole: boolean;
}

/** Number of bytes read at a time. */
const BLOCK = 262_144;

const LINE_FEED = 10;

/** Maximum length of a line, in bytes. A longer line is split into pieces, each treated as a line. */
const LONGEST = 16_777_216;

/** Number of attempts, and pause in milliseconds, to find the end of a line that is being written. */
const TRIES = 10;
const PAUSE_MS = 50;

/**
 * Yields the lines that a file has when it is opened, in batches. Reads the last line to its end, if the end
 * appears soon.
 */
export async function* linesAhead(path: string): AsyncGenerator<readonly FileLine[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    let rest: Buffer = Buffer.alloc(0);
    for (let at = 0; at < size;) {
      const block = await readAt(file, at, Math.min(BLOCK, size - at));
      if (block.length === 0) break;
      const lines = split(Buffer.concat([rest, block]), at - rest.length);
      at += block.length;
      rest = lines.rest;
      yield lines.whole;
    }
    if (rest.length > 0) yield [await finish(file, rest, size)];
  } finally {
    await file.close();
  }
}

/**
 * Returns the last line. A line that is being written ends within moments; a line that a crash has torn never
 * ends.
 */
async function finish(file: FileHandle, rest: Buffer, at: number): Promise<FileLine> {
  const start = at - rest.length;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const bytes = Buffer.concat([rest, await readAt(file, at, BLOCK)]);
    const feed = bytes.indexOf(LINE_FEED);
    if (feed !== -1) return { bytes: bytes.subarray(0, feed + 1), start, isWhole: true };
    await setTimeout(PAUSE_MS);
  }
  return { bytes: rest, start, isWhole: false };
}

function split(bytes: Buffer, start: number): { readonly whole: readonly FileLine[]; readonly rest: Buffer } {
  const whole: FileLine[] = [];
  let left = 0;
  for (let feed = bytes.indexOf(LINE_FEED); feed !== -1; feed = bytes.indexOf(LINE_FEED, left)) {
    whole.push({ bytes: bytes.subarray(left, feed + 1), start: start + left, isWhole: true });
    left = feed + 1;
  }
  const rest = bytes.subarray(left);
  if (rest.length <= LONGEST) return { whole, rest };
  whole.push({ bytes: rest, start: start + left, isWhole: false });
  return { whole, rest: Buffer.alloc(0) };
}

interface FilesToVerify {
  /** Files of one chain, oldest first. */
  readonly files: readonly string[];
  /** 64 hexadecimal digits. */
  readonly key: string;
  /** Record that must exist. */
  readonly expected?: ChainHead | undefined;
}

/** Verifies a chain across files up to its first break. A server may append to the last file meanwhile. */
export async function verifyFiles({ files, key, expected }: FilesToVerify): Promise<ChainVerification> {
  const verifier = new Verifier(auditKey(key), expected ? [expected] : []);
  for (const file of files) {
    const name = files.length > 1 ? `${file}, ` : '';
    if (!(await verifyFile(verifier, file, name))) break;
  }
  return verifier.end();
}

async function verifyFile(verifier: Verifier, path: string, name: string): Promise<boolean> {
  let number = 0;
  let isTorn = false;
  for await (const lines of linesAhead(path)) {
    for (const line of lines) {
      number += 1;
      isTorn = !line.isWhole;
      if (!verifier.take(foundOn(line, `${name}line ${number}`))) return false;
    }
  }
  return verifier.endPart(isTorn);
}

function foundOn({ bytes, start, isWhole }: FileLine, place: string): Found {
  const line = isWhole ? readAuditLine(bytes.subarray(0, -1)) : undefined;
  if (line && isChained(line)) return { place, record: line, bytes, start };
  return { place, bytes, start, isFormer: line !== undefined };
}

/** Verifies the chain of the store up to its first break. Servers may append to it meanwhile. */
export async function verifyStore(
  store: Pick<AuditStore, 'key' | 'head' | 'rows'>,
  expected?: ChainHead,
): Promise<ChainVerification> {
  // Reads the store's end of the chain first: later rows may follow, but this record must exist.
  const anchors = [await store.head(), ...(expected ? [expected] : [])];
  const verifier = new Verifier(auditKey(await store.key()), anchors);
  for await (const rows of store.rows()) {
    if (!rows.every((row) => verifier.take(foundIn(row)))) break;
    await setImmediate();
  }
  verifier.endPart(false);
  return verifier.end();
}

function foundIn({ id, entry }: AuditRow): Found {
  return isChained(entry) ? { place: `id ${id}`, record: entry } : { place: `id ${id}`, isFormer: true };
}
