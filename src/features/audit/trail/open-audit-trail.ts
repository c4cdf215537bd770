import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AuditRecord } from '../../../core/audit.js';
import { type Clock, type Scheduler, systemScheduler } from '../../../lib/clock.js';
import { createFolder } from '../../../lib/create-folder.js';
import type { AuditSettings } from '../../../settings/settings.js';
import { isStoreFull } from '../../../storage/failure.js';
import type { AuditStore, CountedAuditTrail } from '../audit-trail.js';
import { ChainFile, openFault } from './chain-file.js';
import { openDiskReserve, type RecordRoom, reserveFileOf, UNKNOWN_ROOM } from './disk-reserve.js';
import { findInTrail } from './find-in-trail.js';
import { type AuditKey, auditKey, createKeyFile, keyFileOf, readKeyFile } from './key.js';
import { holdsChain } from './open-chain.js';
import { type AuditSink, watchSink } from './sink-health.js';
import { fileOfChain } from './trail-files.js';
import { verifyTrail } from './verify-trail.js';
import { verifyStore } from './verify.js';

interface AuditDeps {
  /** Required for durability `store`. */
  readonly store?: AuditStore;
  readonly clock?: Clock | Scheduler;
  /** The SQLite file of the store; absent: its disk is that of another machine. */
  readonly database?: string | undefined;
  /** Number of the file of this process, if several processes of the server write a file each; absent: 0. */
  readonly chain?: number;
}

/**
 * Opens the audit trail of the settings: lines of JSON in a file (mode 0600, folder 0700), or rows of the
 * store. Records form a chain: the seal of a record includes the previous record. `append` throws
 * `audit_unavailable` if the record could not be stored.
 */
export async function openAuditTrail(settings: AuditSettings, deps: AuditDeps): Promise<CountedAuditTrail> {
  const clock: Scheduler = { ...systemScheduler, ...deps.clock };
  const { key, find, verify, ...sink } =
    settings.durability === 'store'
      ? await storeTrail(deps)
      : await fileTrail(settings, { clock, number: deps.chain ?? 0 });
  return { ...watchSink(sink, clock), digest: key.digest, find, verify };
}

type Trail = AuditSink & Pick<CountedAuditTrail, 'find' | 'verify'> & { readonly key: AuditKey };

async function fileTrail(
  { file, durability }: AuditSettings,
  { clock, number }: { readonly clock: Clock; readonly number: number },
): Promise<Trail> {
  const secret = await openFileKey(file);
  const key = auditKey(secret);
  const own = fileOfChain(file, number);
  const room = await openRoom(own);
  const chain = await ChainFile.open(own, { key, clock, sync: durability === 'fsync', room }).catch(
    async (error: unknown) => {
      await room.close();
      throw error;
    },
  );
  const queue = new WriteQueue<AuditRecord>((records) => chain.append(records));
  return {
    key,
    room,
    append: (record) => queue.append(record),
    find: (query) => findInTrail(file, query),
    // A chain cannot prove its end, but this process knows its last record.
    verify: async (watch) => {
      const { head } = chain;
      return verifyTrail({ file, key: secret, own: { file: own, head } }, watch);
    },
    close: async () => {
      await queue.close();
      await chain.close();
      await room.close();
    },
  };
}

/** Reserves space beside a file. A path that is no file, such as a pipe, has no disk. */
async function openRoom(file: string): Promise<RecordRoom> {
  const existing = await stat(file).catch(() => undefined);
  if (existing && !existing.isFile()) return UNKNOWN_ROOM;
  const path = reserveFileOf(file);
  try {
    createFolder(dirname(path), 0o700);
    return await openDiskReserve(path);
  } catch (cause) {
    throw openFault(path, cause);
  }
}

/**
 * Returns the key of an audit file, and creates a missing key. Throws an Error if the key is missing although
 * the file already has a chain.
 */
async function openFileKey(file: string): Promise<string> {
  const path = keyFileOf(file);
  const existing = await readKeyFile(path);
  if (existing !== undefined) return existing;
  const isNeeded = await holdsChain(file).catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  if (isNeeded) {
    const advice = `Restore it from a backup, or move ${file} away to start a new chain with a new key.`;
    throw new Error(`The key of the audit trail, ${path}, is missing. ${advice}`);
  }
  await createKeyFile(path);
  return (await readKeyFile(path)) ?? '';
}

/** Space that a record of SQLite needs at most in its log of pages: rows of the trail, its indexes and the head of the chain, in bytes. */
const SQLITE_BYTES = 65_536;
/** How many times as much room as in a file this is. */
const SQLITE_FACTOR = 5;

async function storeTrail({ store, database, chain = 0 }: AuditDeps): Promise<Trail> {
  if (!store)
    throw new Error('audit.durability "store" needs a store: set storage.url, or use "written" or "fsync".');
  const key = auditKey(await store.key());
  const room = database === undefined ? UNKNOWN_ROOM : await openRoom(fileOfChain(database, chain));
  const write = async (records: readonly AuditRecord[]): Promise<void> => {
    for (;;)
      try {
        await store.append(records, key.seal);
        return;
      } catch (error) {
        if (!isStoreFull(error) || !(await room.giveUp(SQLITE_BYTES * records.length))) throw error;
      }
  };
  const queue = new WriteQueue<AuditRecord>((records) => write(records.map(storableRecord)));
  return {
    key,
    room: {
      ...room,
      hold: (bytes) => room.hold(SQLITE_FACTOR * bytes),
      release: (bytes) => {
        room.release(SQLITE_FACTOR * bytes);
      },
    },
    append: (record) => queue.append(record),
    find: store.find,
    verify: (watch) => verifyStore(store, undefined, watch),
    close: async () => {
      await queue.close();
      await room.close();
    },
  };
}

/**
 * Replaces characters that databases do not store: PostgreSQL accepts no NUL, and UTF-8 has no lone
 * surrogates.
 */
function storableRecord(record: AuditRecord): AuditRecord {
  const replaced = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\ufffd') : value,
  ]);
  return Object.fromEntries(replaced) as AuditRecord;
}

/** Writes items in the order of the calls. Items that arrive during a write share the next write. */
export class WriteQueue<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Item[] = [];
  /** The write of the waiting items; absent if no item waits. */
  #next: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the item is written; rejects when its write failed. */
  append(item: Item): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The audit trail is closed.'));
    this.#waiting.push(item);
    return (this.#next ??= this.#writeAfter(this.#running));
  }

  /** Writes all waiting items, and refuses later items. */
  async close(): Promise<void> {
    this.#closed = true;
    await (this.#next ?? this.#running)?.catch(() => undefined);
  }

  async #writeAfter(previous: Promise<void> | undefined): Promise<void> {
    if (previous) await previous.catch(() => undefined);
    // Items from the same turn of the event loop share the write.
    await setImmediate();
    const items = this.#waiting;
    this.#waiting = [];
    this.#running = this.#next;
    this.#next = undefined;
    try {
      await this.#write(items);
    } finally {
      this.#running = undefined;
    }
  }
}
