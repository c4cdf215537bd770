import type { AuditStore } from '../core/audit-store.js';
import type { AuditTrail } from '../core/audit-trail.js';
import type { AuditRecord } from '../core/audit.js';
import { type Clock, systemClock } from '../core/lib/clock.js';
import type { AuditSettings } from '../core/settings.js';
import { type AuditKey, auditKey, createKeyFile, keyFileOf, readKeyFile } from './key.js';
import { ChainFile, openFault } from './chain-file.js';
import { holdsChain } from './open-chain.js';
import { type AuditSink, watchSink } from './sink-health.js';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate, setImmediate as endOfTurn } from 'node:timers/promises';
import { type AuditPage, type AuditQuery, beginPage } from '../core/audit-query.js';
import { Problem } from '../core/problem.js';
import { readAuditLine } from './audit-line.js';
import { linesBack, openIfThere } from './read-backward.js';

/** Maximum number of bytes that one search reads. */
const SEARCHED = 33_554_432;

/** Number of lines after which a search yields to the event loop. */
const TURN = 500;

/** Returns records of an audit file, newest first; lines that are not records are skipped. */
export async function findInFile(path: string, query: AuditQuery, searched = SEARCHED): Promise<AuditPage> {
  const file = await openIfThere(path);
  // The file may have been moved away; the next record creates it again.
  if (!file) return { results: [] };
  try {
    return await search(file, query, searched);
  } finally {
    await file.close();
  }
}

async function search(file: FileHandle, query: AuditQuery, searched: number): Promise<AuditPage> {
  const { ino, size } = await file.stat();
  const begin = beginAt(query.before, { ino, size });
  const page = beginPage(query);
  let count = 0;
  for await (const { bytes, start } of linesBack(file, begin)) {
    const record = readAuditLine(bytes);
    const cursor = `${ino}-${start}`;
    const full = record && page.offer(record, cursor);
    if (full) return full;
    if (begin - start >= searched && start > 0) return page.stop(cursor);
    count += 1;
    if (count % TURN === 0) await setImmediate();
  }
  return page.end();
}

/**
 * Returns the start of a search. A cursor names the file, so that a cursor of a file that was moved away is
 * not used for the new file.
 */
function beginAt(before: string | undefined, { ino, size }: { ino: number; size: number }): number {
  if (before === undefined) return size;
  const [, file, place] = /^(\d{1,20})-(\d{1,15})$/.exec(before) ?? [];
  if (file === String(ino) && Number(place) <= size) return Number(place);
  const detail = 'before is no cursor of the audit file as it is now: begin again without it.';
  throw new Problem('invalid_request', detail);
}

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes items in the order of the calls. Items that arrive during a write share the next write. */
export class Queue<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the item is written; rejects when its write failed. */
  append(item: Item): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The audit trail is closed.'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Writes all waiting items; later items are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Items from the same turn of the event loop share the write.
      await endOfTurn();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch.map(({ item }) => item));
      } catch (error) {
        for (const { reject } of batch) reject(error);
        continue;
      }
      for (const { resolve } of batch) resolve();
    }
    this.#writing = undefined;
  }
}

export interface AuditDeps {
  /** Needed for durability `store`. */
  readonly store?: Pick<AuditStore, 'key' | 'append' | 'find'>;
  readonly clock?: Clock;
}

/**
 * Opens the audit trail that the settings choose: lines of JSON in a file (mode 0600, folder 0700), or rows
 * of the store. Records are chained: each is sealed together with the previous one. `append` throws
 * `audit_unavailable` if the record could not be stored.
 */
export async function openAuditTrail(settings: AuditSettings, deps: AuditDeps): Promise<AuditTrail> {
  const clock = deps.clock ?? systemClock;
  const { key, find, ...sink } =
    settings.durability === 'store' ? await storeTrail(deps.store) : await fileTrail(settings, clock);
  return { ...watchSink(sink, clock), digest: key.digest, find };
}

type Trail = AuditSink & Pick<AuditTrail, 'find'> & { readonly key: AuditKey };

async function fileTrail({ file, durability }: AuditSettings, clock: Clock): Promise<Trail> {
  const key = auditKey(await ownKey(file));
  const chain = await ChainFile.open(file, { key, clock, sync: durability === 'fsync' });
  const queue = new Queue<AuditRecord>((records) => chain.append(records));
  return {
    key,
    append: (record) => queue.append(record),
    find: (query) => findInFile(file, query),
    close: async () => {
      await queue.close();
      await chain.close();
    },
  };
}

/**
 * Returns the key of a file, and creates it if necessary. Throws if the file has a chain but its key is
 * missing.
 */
async function ownKey(file: string): Promise<string> {
  const path = keyFileOf(file);
  const there = await readKeyFile(path);
  if (there !== undefined) return there;
  const isNeeded = await holdsChain(file).catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  if (isNeeded) {
    const advice = `Bring it back from a backup, or move ${file} away to begin a new chain with a new key.`;
    throw new Error(`The key of the audit trail, ${path}, is missing. ${advice}`);
  }
  await createKeyFile(path);
  return (await readKeyFile(path)) ?? '';
}

async function storeTrail(store: AuditDeps['store']): Promise<Trail> {
  if (!store)
    throw new Error('audit.durability "store" needs a store: set storage.url, or use "written" or "fsync".');
  const key = auditKey(await store.key());
  const queue = new Queue<AuditRecord>((records) => store.append(records.map(storable), key.seal));
  return {
    key,
    append: (record) => queue.append(record),
    find: store.find,
    close: () => queue.close(),
  };
}

/**
 * Replaces characters that databases do not preserve: PostgreSQL has no NUL, and UTF-8 has no half of a
 * surrogate pair.
 */
function storable(record: AuditRecord): AuditRecord {
  const mended = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\ufffd') : value,
  ]);
  return Object.fromEntries(mended) as AuditRecord;
}
