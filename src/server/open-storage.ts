import { resolve } from 'node:path';
import type { Log } from '../core/log.js';
import { openAuditTrail } from '../features/audit/trail/open-audit-trail.js';
import { openStore } from '../features/open-store.js';
import type { Scheduler } from '../lib/clock.js';
import type { CloserStack } from '../lib/closer-stack.js';
import type { Settings } from '../settings/settings.js';
import { lockFile } from '../storage/file-lock.js';
import type { OpenedStore } from './initial-config.js';
import { endDueBeforeStart } from './state/due-ends.js';
import type { Siblings } from './workers/siblings.js';

/** What the store and the audit trail of a server need. */
interface StorageDeps {
  readonly configPath: string;
  readonly closers: CloserStack;
  /** The other processes of this server, which share the store. */
  readonly siblings: Siblings;
  readonly clock: Scheduler;
  readonly log: Log;
}

/**
 * Locks the data files of this server, opens the store and the audit trail, and ends what became due while no server was running.
 * Throws an Error if another server uses the files.
 */
export async function openStorage(
  settings: Settings,
  { configPath, closers, siblings, clock, log }: StorageDeps,
): Promise<OpenedStore> {
  const { lockFile: lockForAll, store: shared, chain } = siblings;
  for (const file of dataFiles(settings))
    await (lockForAll ? lockForAll(file) : closers.add(lockFile(file, resolve(configPath))));
  const store = closers.add(await openStore(settings.storage.url, shared));
  const database = sqliteFileOf(settings.storage.url);
  const trail = closers.add(
    await openAuditTrail(settings.audit, { store: store.audit, clock, database, chain }),
  );
  await endDueBeforeStart({ platform: store.platform, audit: trail, scheduler: clock, log });
  return { store, trail };
}

/** Returns the files that only one server may write. Several servers share a PostgreSQL database. */
export function dataFiles({ storage, audit }: Pick<Settings, 'storage' | 'audit'>): readonly string[] {
  const database = sqliteFileOf(storage.url);
  return [
    ...(database === undefined ? [] : [database]),
    ...(audit.durability === 'store' ? [] : [audit.file]),
  ];
}

/** Returns the file of the SQLite database at a URL; `undefined` for a database in memory or on a server. */
export function sqliteFileOf(url: string): string | undefined {
  const [, database = ':memory:'] = /^sqlite:(.*)$/s.exec(url) ?? [];
  return database === ':memory:' ? undefined : database;
}
