import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditRecord } from '../../../core/audit.js';
import type { Clock } from '../../../lib/clock.js';
import { createFolder } from '../../../lib/create-folder.js';
import { CHAIN_START, chained, type ChainHead } from '../chain.js';
import { auditLine, isChained, readAuditLine } from './audit-line.js';
import type { AuditKey } from './key.js';
import { readLinesBackward, openIfExists, readAt } from './read-backward.js';
import { beginOutcome, createSelfAudit, tornOutcome } from './self-audit.js';

export interface ChainOptions {
  readonly key: AuditKey;
  /** True syncs every record to the disk (fdatasync) before its append resolves. */
  readonly sync: boolean;
  readonly clock: Clock;
}

/** A file that is open for appending, and the head of its chain. */
interface OpenChain {
  readonly file: FileHandle;
  readonly head: ChainHead;
}

/**
 * Opens a file for appending, and finds the head of its chain. Creates a missing file (mode 0600) and folder
 * (0700). Terminates a last line that a crash has torn, and appends a record about the torn line. A file
 * without a chain continues the chain of the previous file at this path, whose head is `known`.
 */
export async function openChain(
  path: string,
  options: ChainOptions,
  known = CHAIN_START,
): Promise<OpenChain> {
  const folder = dirname(path);
  createFolder(folder, 0o700);
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR, 0o600);
  try {
    const head = await findHead({ file, options, known });
    if (options.sync) await syncBoth(file, folder);
    return { file, head };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface ChainOpening {
  readonly file: FileHandle;
  readonly options: ChainOptions;
  readonly known: ChainHead;
}

async function findHead(opening: ChainOpening): Promise<ChainHead> {
  const { file, known } = opening;
  const { size } = await file.stat();
  const tail = await readTail(file, size);
  if (tail) return size === tail.end ? tail.head : recordTornTail(opening, { ...tail, size });
  return size === 0 && known.seq === 0 ? known : recordStart(opening, size);
}

interface Tail {
  readonly head: ChainHead;
  /** Offset after the record and its line feed. */
  readonly end: number;
}

/** Maximum number of bytes at the end of a file without a record. Records and torn records are shorter. */
const MAX_TAIL_BYTES = 16_777_216;

/**
 * Returns the last record of the chain; `undefined` if the last record of the file is not part of a chain.
 */
async function readTail(file: FileHandle, size: number): Promise<Tail | undefined> {
  for await (const { bytes, start } of readLinesBackward(file, size)) {
    if (size - start > MAX_TAIL_BYTES) throw new Error('it has no record at its end; move it away');
    const record = readAuditLine(bytes);
    if (record)
      return isChained(record) ? { head: headOf(record), end: start + bytes.length + 1 } : undefined;
  }
  return undefined;
}

/**
 * Returns true if the last record of a file is part of a chain. Appending to such a file needs the chain's
 * key.
 */
export async function holdsChain(path: string): Promise<boolean> {
  const file = await openIfExists(path);
  if (!file) return false;
  try {
    return (await readTail(file, (await file.stat()).size)) !== undefined;
  } finally {
    await file.close();
  }
}

function headOf({ seq, hash }: ChainHead): ChainHead {
  return { seq, hash };
}

/** Terminates the torn end of the file, and appends the record `audit.torn`. */
async function recordTornTail(
  { file, options }: ChainOpening,
  { head, end, size }: Tail & { readonly size: number },
): Promise<ChainHead> {
  const torn = await readAt(file, end, size - end);
  const feed = torn.at(-1) === 10 ? '' : '\n';
  const digest = options.key.startByteDigest();
  digest.add(torn);
  digest.add(Buffer.from(feed));
  const outcome = tornOutcome(digest.end());
  return appendEvent(file, feed, {
    head,
    options,
    record: createSelfAudit({ operation: 'audit.torn', outcome, now: options.clock.now() }),
  });
}

/** Appends the record `audit.begin`, with which a chain starts in this file. */
async function recordStart({ file, options, known }: ChainOpening, size: number): Promise<ChainHead> {
  const last = size === 0 ? undefined : await readAt(file, size - 1, 1);
  const feed = last === undefined || last[0] === 10 ? '' : '\n';
  const outcome = beginOutcome(size + feed.length);
  return appendEvent(file, feed, {
    head: known,
    options,
    record: createSelfAudit({ operation: 'audit.begin', outcome, now: options.clock.now() }),
  });
}

interface ChainEvent {
  readonly head: ChainHead;
  readonly options: ChainOptions;
  readonly record: AuditRecord;
}

async function appendEvent(
  file: FileHandle,
  feed: string,
  { head, options, record }: ChainEvent,
): Promise<ChainHead> {
  const links = chained([record], head, options.key.seal);
  await file.appendFile(feed + linesOf(links));
  return headOf(links.at(-1) ?? head);
}

/** Returns chained records as lines of the file. */
export function linesOf(links: ReturnType<typeof chained>): string {
  let lines = '';
  for (const link of links) lines += `${auditLine(link)}\n`;
  return lines;
}

/** Syncs the file and its folder. Without a sync of the folder, the file's name is not durable. */
async function syncBoth(file: FileHandle, folder: string): Promise<void> {
  await file.datasync();
  const directory = await open(folder, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
