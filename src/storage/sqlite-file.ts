import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type SQLite from 'better-sqlite3';
import { createRequire } from 'node:module';

type Engine = typeof SQLite;

const require = createRequire(import.meta.url);

/**
 * Returns the driver for this version of Node.js: release 12 for Node.js 20, release 13 for Node.js 22 and
 * later. Compiled against Node.js 24.19 or later, release 12 crashes the process when a statement is
 * garbage-collected. Release 13 does not run on Node.js 20. Throws an Error with advice if the driver is not
 * installed.
 */
export function sqliteEngine(): Engine {
  const name = Number(process.versions.node.split('.')[0]) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';
  try {
    return require(name) as Engine;
  } catch (cause) {
    const advice = 'run npm ci where a C++ compiler is installed, or use Node.js 22 or later';
    throw new Error(`The SQLite driver ${name} cannot be loaded: ${advice}.`, { cause });
  }
}

/** Maximum wait for the lock of another process, in milliseconds. The wait blocks the thread. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:`. A commit is on the disk
 * when it returns (WAL, synchronous=FULL).
 */
export function openFile(path: string): SQLite.Database {
  if (path !== ':memory:') createFile(path);
  const Engine = sqliteEngine();
  const database = new Engine(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    switchToWal(database);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
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
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
function switchToWal(database: SQLite.Database): void {
  for (let remainingMs = BUSY_TIMEOUT_MS; ; remainingMs -= WAL_RETRY_MS) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy =
        error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
      if (!isBusy || remainingMs <= 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_RETRY_MS);
    }
  }
}
