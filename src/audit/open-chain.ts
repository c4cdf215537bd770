import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CHAIN_START, chained, type ChainHead } from '../core/audit-chain.js';
import type { AuditRecord } from '../core/audit.js';
import type { Clock } from '../core/lib/clock.js';
import type { AuditKey } from './key.js';
import { auditLine, isChained, readAuditLine } from './audit-line.js';
import { linesBack, openIfThere, readAt } from './read-backward.js';
import { beginOutcome, createSelfAudit, tornOutcome } from './self-audit.js';

export interface ChainTerms {
  readonly key: AuditKey;
  /** True syncs every record to the disk (fdatasync) before its append resolves. */
  readonly sync: boolean;
  readonly clock: Clock;
}

/** A file that is open for appending, and the end of its chain. */
export interface OpenChain {
  readonly file: FileHandle;
  readonly head: ChainHead;
}

/**
 * Opens a file for appending, creating it (0600) and its folder (0700), and finds the end of its chain.
 * Terminates a last line that a crash has torn, so that the next record starts on a new line, and adds a
 * record about it. A chain that starts here continues from `known`, the end of the previous file at this
 * path.
 */
export async function openChain(path: string, terms: ChainTerms, known = CHAIN_START): Promise<OpenChain> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR, 0o600);
  try {
    const head = await findHead({ file, terms, known });
    if (terms.sync) await syncBoth(file, folder);
    return { file, head };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Opening {
  readonly file: FileHandle;
  readonly terms: ChainTerms;
  readonly known: ChainHead;
}

async function findHead(opening: Opening): Promise<ChainHead> {
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

/**
 * Maximum number of bytes that are searched backward for a record. Records, and the parts that a crash leaves
 * of them, are shorter.
 */
const LOOK_BACK = 16_777_216;

/**
 * Returns the last record of the chain; `undefined` if the file has no chain or continues without a chain.
 */
async function readTail(file: FileHandle, size: number): Promise<Tail | undefined> {
  for await (const { bytes, start } of linesBack(file, size)) {
    if (size - start > LOOK_BACK) throw new Error('it has no record at its end; move it away');
    const record = readAuditLine(bytes);
    if (record)
      return isChained(record) ? { head: headOf(record), end: start + bytes.length + 1 } : undefined;
  }
  return undefined;
}

/**
 * Returns true if a chain continues at the end of a file. Such a file needs the key that started the chain.
 */
export async function holdsChain(path: string): Promise<boolean> {
  const file = await openIfThere(path);
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

async function recordTornTail(
  { file, terms }: Opening,
  { head, end, size }: Tail & { readonly size: number },
): Promise<ChainHead> {
  const torn = await readAt(file, end, size - end);
  const feed = torn.at(-1) === 10 ? '' : '\n';
  const weighing = terms.key.compareKey();
  weighing.add(torn);
  weighing.add(Buffer.from(feed));
  const outcome = tornOutcome(weighing.end());
  return emitChainEvent(file, feed, {
    head,
    terms,
    record: createSelfAudit({ operation: 'audit.torn', outcome, now: terms.clock.now() }),
  });
}

async function recordStart({ file, terms, known }: Opening, size: number): Promise<ChainHead> {
  const last = size === 0 ? undefined : await readAt(file, size - 1, 1);
  const feed = last === undefined || last[0] === 10 ? '' : '\n';
  const outcome = beginOutcome(size + feed.length);
  return emitChainEvent(file, feed, {
    head: known,
    terms,
    record: createSelfAudit({ operation: 'audit.begin', outcome, now: terms.clock.now() }),
  });
}

interface ChainEvent {
  readonly head: ChainHead;
  readonly terms: ChainTerms;
  readonly record: AuditRecord;
}

async function emitChainEvent(
  file: FileHandle,
  feed: string,
  { head, terms, record }: ChainEvent,
): Promise<ChainHead> {
  const links = chained([record], head, terms.key.seal);
  await file.appendFile(feed + linesOf(links));
  return headOf(links.at(-1) ?? head);
}

/** Returns records as lines of the file. */
export function linesOf(links: ReturnType<typeof chained>): string {
  return links.map((link) => `${auditLine(link)}\n`).join('');
}

/**
 * Syncs the file and its folder. The file's name is only as durable as its content if the folder is synced
 * too.
 */
async function syncBoth(file: FileHandle, folder: string): Promise<void> {
  await file.datasync();
  const directory = await open(folder, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
