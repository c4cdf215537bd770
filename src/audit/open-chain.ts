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
  /** True puts every record on the disk (fdatasync) before its append resolves. */
  readonly sync: boolean;
  readonly clock: Clock;
}

/** A file that is open for appending, and the end of the chain in it. */
export interface OpenChain {
  readonly file: FileHandle;
  readonly head: ChainHead;
}

/**
 * Opens a file for appending, creating it (0600) and its folder (0700), and finds the end of its chain. A last line that a
 * crash has torn is ended, so that the next one stands alone, and a record tells of it. A chain that begins here goes on
 * from `known`, which is the end of the file that stood here before.
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
  /** Where the record and its line feed end. */
  readonly end: number;
}

/** How far from its end a file is searched for a record: further than any record and what a crash leaves of one. */
const LOOK_BACK = 16_777_216;

/** The last record of the chain; `undefined` in a file that has none, or that goes on without one. */
async function readTail(file: FileHandle, size: number): Promise<Tail | undefined> {
  for await (const { bytes, start } of linesBack(file, size)) {
    if (size - start > LOOK_BACK) throw new Error('it has no record at its end; move it away');
    const record = readAuditLine(bytes);
    if (record)
      return isChained(record) ? { head: headOf(record), end: start + bytes.length + 1 } : undefined;
  }
  return undefined;
}

/** True when a chain goes on at the end of a file: it needs the key that it was begun with. */
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

/** Records as they stand in the file. */
export function linesOf(links: ReturnType<typeof chained>): string {
  return links.map((link) => `${auditLine(link)}\n`).join('');
}

/** The file's name is as durable as its content only when its folder is synced too. */
async function syncBoth(file: FileHandle, folder: string): Promise<void> {
  await file.datasync();
  const directory = await open(folder, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
