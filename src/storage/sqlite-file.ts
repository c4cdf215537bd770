import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type SQLite from 'better-sqlite3';
import { createRequire } from 'node:module';

type Engine = typeof SQLite;

const require = createRequire(import.meta.url);

/**
 * Returns the driver for this Node.js: release 12 for Node.js 20, release 13 from 22 on. Compiled against
 * Node.js 24.19 or later, release 12 ends the process when a statement is garbage-collected; release 13 does
 * not run on 20. Throws an Error that says what to do if the driver is not installed.
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

/** Maximum wait for the lock of another process, in milliseconds. The thread is blocked meanwhile. */
const BUSY_MS = 1000;

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:`. A commit is on the disk
 * when it returns (WAL, synchronous=FULL).
 */
export function openFile(path: string): SQLite.Database {
  if (path !== ':memory:') createFile(path);
  const Engine = sqliteEngine();
  const database = new Engine(path, { timeout: BUSY_MS });
  try {
    becomeWal(database);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the file and its folder. SQLite gives the files beside the database (-wal, -shm) the same mode. */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/** Pause before the next attempt to switch to WAL, in milliseconds. */
const PAUSE_MS = 20;

/**
 * Switches to WAL. If two processes open a new file at the same moment, SQLite does not wait for the other's
 * switch, so this function does.
 */
function becomeWal(database: SQLite.Database): void {
  for (let left = BUSY_MS; ; left -= PAUSE_MS) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
      if (!busy || left <= 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
