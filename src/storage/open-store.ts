import { insertAudit, selectAudit } from './audit-table.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { formStore } from './form-store.js';
import { migrate } from './migrate.js';
import { openPostgres, postgresFault } from './postgres.js';
import { isDeviceFault, openSqlite } from './sqlite.js';
import type { Store } from './store.js';
import type { Database } from './tables.js';

/**
 * Opens the store at `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name` and brings
 * it to today's schema. Throws an Error that says what to do and never repeats the URL, which may hold a password.
 */
export async function openStore(url: string): Promise<Store> {
  const connection = await Connection.open(wayTo(url));
  return {
    appendAudit: (record) => connection.use((db) => insertAudit(db, record)),
    recentAudit: (limit) => connection.use((db) => selectAudit(db, limit)),
    forms: formStore(connection),
    close: () => connection.close(),
  };
}

function wayTo(url: string): ConnectionOptions {
  const [, scheme, path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite') return { open: () => upToDate(openSqlite(path)), isFatal: isDeviceFault };
  // The pool of PostgreSQL replaces its connections by itself.
  if (scheme === 'postgres' || scheme === 'postgresql')
    return { open: () => upToDate(openPostgres(url)).catch(postgresFault), isFatal: () => false };
  const found = scheme === undefined ? 'it has none' : `not "${scheme}"`;
  throw new Error(
    `storage.url must have the scheme "sqlite" or "postgres", ${found}: sqlite:/absolute/path or postgres://host/name.`,
  );
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
