import { insertAudit, selectAudit } from './audit-table.js';
import { Connection } from './connection.js';
import { migrate } from './migrate.js';
import { isDeviceFault, openSqlite } from './sqlite.js';
import type { Store } from './store.js';
import type { Database } from './tables.js';

/**
 * Opens the store at `sqlite:/absolute/path` or `sqlite::memory:` and brings it to today's schema. Throws an Error that
 * says what to do and never repeats the URL of another scheme, which may hold a password.
 */
export async function openStore(url: string): Promise<Store> {
  const path = sqlitePath(url);
  const connection = await Connection.open({ open: () => openDatabase(path), isFatal: isDeviceFault });
  return {
    appendAudit: (record) => connection.use((db) => insertAudit(db, record)),
    recentAudit: (limit) => connection.use((db) => selectAudit(db, limit)),
    close: () => connection.close(),
  };
}

function sqlitePath(url: string): string {
  const [, scheme, path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite') return path;
  const found = scheme === undefined ? 'it has none' : `not "${scheme}"`;
  throw new Error(
    `storage.url must have the scheme "sqlite" in this version, ${found}: sqlite:/absolute/path.`,
  );
}

async function openDatabase(path: string): Promise<Database> {
  const database = openSqlite(path);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
