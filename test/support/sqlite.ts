import type { SqliteDatabase as KyselySqlite } from 'kysely';
import { loadSqliteDriver, type SqliteDatabase } from '../../src/storage/sqlite-driver.js';

/** Opens the database of a stopped store, or of a store whose locks the caller expects to meet. */
export function openDatabaseFile(path: string): SqliteDatabase {
  return new (loadSqliteDriver().DatabaseSync)(path);
}

/**
 * Returns the values of one column. Prepares no statement, because the driver closes a file only when the
 * statements of its connection were garbage-collected.
 */
export function readColumn(database: SqliteDatabase, column: string, from: string): readonly unknown[] {
  const values: unknown[] = [];
  database.function('emit', (value: unknown) => {
    values.push(value);
    return null;
  });
  database.exec(`select emit(${column}) from ${from}`);
  return values;
}

/** Returns true if SQLite finds no damage in the file. */
export function isIntactDatabase(path: string): boolean {
  const database = openDatabaseFile(path);
  try {
    return String(readColumn(database, 'quick_check', 'pragma_quick_check')) === 'ok';
  } finally {
    database.close();
  }
}

/** Adapts a connection to Kysely's own dialect of SQLite, which waits for the disk in the main thread. */
export function inMainThread(database: SqliteDatabase): KyselySqlite {
  return {
    close: () => {
      database.close();
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters) as unknown[],
        iterate: (parameters) => statement.iterate(...parameters) as IterableIterator<unknown>,
        run: (parameters) => {
          const { changes, lastInsertRowid } = statement.run(...parameters);
          return { changes, lastInsertRowid };
        },
      };
    },
  };
}
