import { randomUUID } from 'node:crypto';
import { auditStore } from './audit-store.js';
import { selectAudit } from './audit-table.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { formStore } from './form-store.js';
import { migrate } from './migrate.js';
import { PeerListener } from './peer-listener.js';
import { platformStore } from './platform-store.js';
import { openPostgres, ownClient, type Pooled, postgresFault } from './postgres.js';
import { isDeviceFault, openSqlite } from './sqlite.js';
import type { Store } from './store.js';
import type { Database } from './tables.js';
import { taskStore } from './task-store.js';

/**
 * Opens the store at `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name` and brings
 * it to today's schema. Throws an Error that says what to do and never repeats the URL, which may hold a password.
 */
export async function openStore(url: string): Promise<Store> {
  const way = wayTo(url);
  const connection = await Connection.open(way);
  const node = randomUUID();
  return {
    audit: auditStore(connection),
    recentAudit: (limit) => connection.use((db) => selectAudit(db, limit)),
    forms: formStore(connection),
    tasks: taskStore(connection),
    platform: platformStore(connection, node),
    pool: way.pool,
    hearPeers: url.startsWith('sqlite:')
      ? undefined
      : (input) => new PeerListener({ ...input, node, client: () => ownClient(url) }),
    close: () => connection.close(),
  };
}

type Way = ConnectionOptions & Pick<Store, 'pool'>;

function wayTo(url: string): Way {
  const [, scheme, path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite')
    return {
      open: async () => upToDate(await openSqlite(path)),
      isFatal: isDeviceFault,
      pool: () => undefined,
    };
  if (scheme === 'postgres' || scheme === 'postgresql') return wayToPostgres(url);
  const found = scheme === undefined ? 'it has none' : `not "${scheme}"`;
  throw new Error(
    `storage.url must have the scheme "sqlite" or "postgres", ${found}: sqlite:/absolute/path or postgres://host/name.`,
  );
}

/** The pool of PostgreSQL replaces its connections by itself; what failed to open is opened anew. */
function wayToPostgres(url: string): Way {
  let latest: Pooled | undefined;
  return {
    async open() {
      latest = openPostgres(url);
      return upToDate(latest.database).catch(postgresFault);
    },
    isFatal: () => false,
    pool: () => latest?.status(),
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
