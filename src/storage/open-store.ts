import { randomUUID } from 'node:crypto';
import { attemptStore } from './attempt-store.js';
import { auditStore } from './audit-store.js';
import { selectAudit } from './audit-table.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { isBroken } from './failure.js';
import { formStore } from './form-store.js';
import { migrate } from './migrate.js';
import { PeerListener } from './notify-listener.js';
import { platformStore } from './platform-store.js';
import type { Pooled } from './postgres.js';
import { sessionStore } from './session-store.js';
import { isDeviceFault, openSqlite } from './sqlite.js';
import type { Store } from './store.js';
import type { Database } from './tables.js';
import { taskStore } from './task-store.js';

/**
 * Opens the store at `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name`, where several
 * hosts may stand with commas between, and brings it to today's schema. Throws an Error that says what to do and never
 * repeats the URL, which may hold a password.
 */
export async function openStore(url: string): Promise<Store> {
  const node = randomUUID();
  const way = await wayTo(url, node);
  const connection = await Connection.open(way);
  return {
    audit: auditStore(connection),
    recentAudit: (limit) => connection.use((db) => selectAudit(db, limit)),
    forms: formStore(connection),
    tasks: taskStore(connection),
    platform: platformStore(connection, node),
    sessions: sessionStore(connection, node),
    attempts: attemptStore(connection),
    pool: way.pool,
    subscribeClusterChanges: way.subscribeClusterChanges,
    close: () => connection.close(),
  };
}

type StoreFactory = ConnectionOptions & Pick<Store, 'pool' | 'subscribeClusterChanges'>;

async function wayTo(url: string, node: string): Promise<StoreFactory> {
  const [, scheme, path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite')
    return {
      open: async () => upToDate(await openSqlite(path)),
      isFatal: isDeviceFault,
      pool: () => undefined,
      subscribeClusterChanges: undefined,
    };
  if (scheme === 'postgres' || scheme === 'postgresql') return wayToPostgres(url, node);
  const found = scheme === undefined ? 'it has none' : `not "${scheme}"`;
  throw new Error(
    `storage.url must have the scheme "sqlite" or "postgres", ${found}: sqlite:/absolute/path or postgres://host/name.`,
  );
}

/** The server may be another one each time. The schema is that of the start: a newer version may have changed it since. */
async function wayToPostgres(url: string, node: string): Promise<StoreFactory> {
  // Loaded here, because most servers keep what they keep in SQLite.
  const { openPostgres, ownClient, postgresFault } = await import('./postgres.js');
  const openFirst = async (): Promise<Pooled> => {
    const opened = await openPostgres(url);
    await upToDate(opened.database);
    return opened;
  };
  let latest: Pooled | undefined;
  return {
    async open() {
      latest = latest ? await openPostgres(url) : await openFirst().catch(postgresFault);
      return latest.database;
    },
    isFatal: isBroken,
    pool: () => latest?.status(),
    subscribeClusterChanges: (input) =>
      new PeerListener({ ...input, node, client: () => ownClient(latest?.url ?? url) }),
  };
}

async function upToDate(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
