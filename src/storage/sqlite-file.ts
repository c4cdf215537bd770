import { closeSync, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from '../lib/create-folder.js';
import { isBusy, loadSqliteDriver, type SqliteDatabase } from './sqlite-driver.js';

/** Maximum wait for the lock of another process, in milliseconds. The wait blocks the thread. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:`. A commit is on the disk
 * when it returns (WAL, synchronous=FULL).
 */
export function openFile(path: string): SqliteDatabase {
  const { DatabaseSync } = loadSqliteDriver();
  if (path !== ':memory:') createFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    switchToWal(database);
    database.exec('pragma synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Error code of a database file that every user of the machine may read or write. */
export const OPEN_MODE_CODE = 'SQLITE_FILE_MODE';

/**
 * Creates the file and its folder. SQLite creates the -wal and -shm files with the same mode. A group may
 * have access, for backups and for volumes of Kubernetes. Throws {@link OPEN_MODE_CODE} if others have access.
 */
export function createFile(path: string): void {
  createFolder(dirname(path), 0o700);
  const descriptor = openSync(path, 'a', 0o600);
  try {
    if ((fstatSync(descriptor).mode & 0o007) === 0) return;
    throw Object.assign(new Error('others may access the file'), { code: OPEN_MODE_CODE });
  } finally {
    closeSync(descriptor);
  }
}

/** Pause before the next attempt to switch to WAL, in milliseconds. */
const WAL_RETRY_MS = 20;

/**
 * Switches the journal to WAL. If two processes open a new file at the same time, one switch fails at once,
 * because SQLite does not wait for the other process. This function therefore retries.
 */
function switchToWal(database: SqliteDatabase): void {
  for (let remainingMs = BUSY_TIMEOUT_MS; ; remainingMs -= WAL_RETRY_MS) {
    try {
      database.exec('pragma journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || remainingMs <= 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_RETRY_MS);
    }
  }
}
