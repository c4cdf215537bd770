import type { AuditStore } from '../core/audit-store.js';
import type { AuditTrail } from '../core/audit-trail.js';
import type { AuditRecord } from '../core/audit.js';
import { type Clock, systemClock } from '../core/lib/clock.js';
import type { AuditSettings } from '../core/settings.js';
import { type AuditKey, auditKey } from './key.js';
import { ChainFile } from './chain-file.js';
import { findInFile } from './find-in-file.js';
import { createKeyFile, keyFileOf, readKeyFile } from './key-file.js';
import { holdsChain } from './open-chain.js';
import { openFault } from './open-fault.js';
import { Queue } from './queue.js';
import { type AuditSink, watchSink } from './sink-health.js';

export interface AuditDeps {
  /** Needed for durability `store`. */
  readonly store?: Pick<AuditStore, 'key' | 'append' | 'find'>;
  readonly clock?: Clock;
}

/**
 * Opens the audit trail where the settings say: lines of JSON in a file (mode 0600, folder 0700), or rows of the store.
 * Records are chained: each is sealed together with the one before. `append` throws `audit_unavailable` when the record
 * could not be kept.
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

/** The key of a file, made when there is none. Without the key of its chain, a file is not continued. */
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

/** Texts as every database gives them back: PostgreSQL has no NUL, and UTF-8 no half of a surrogate pair. */
function storable(record: AuditRecord): AuditRecord {
  const mended = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\ufffd') : value,
  ]);
  return Object.fromEntries(mended) as AuditRecord;
}
