import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import type SQLite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import { sqliteEngine } from './sqlite-engine.js';
import type { Database, Tables } from './tables.js';

/** How long a statement waits for another process's lock, in milliseconds. The event loop waits with it. */
const BUSY_MS = 1000;

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:` so that a commit is on the disk
 * when it returns (WAL, synchronous=FULL). Throws an Error that says what to do.
 */
export function openSqlite(path: string): Database {
  if (path !== ':memory:' && !isAbsolute(path)) {
    // The path is not repeated: it may have come from Vault.
    throw new Error('storage.url must be sqlite:/absolute/path or sqlite::memory:.');
  }
  try {
    if (path !== ':memory:') createFile(path);
    return new Kysely<Tables>({
      dialect: new SqliteDialect({ database: openDatabase(path) }),
      plugins: [new CamelCasePlugin()],
    });
  } catch (cause) {
    throw new Error(openFault(path, cause), { cause });
  }
}

/**
 * True when an error says that the device failed under the database. The connection must then not be used again:
 * after a failed sync, Linux calls the next one good whatever was lost.
 */
export function isDeviceFault(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_IOERR');
}

/** SQLite gives the files beside the database (-wal, -shm) the same mode. */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

function openDatabase(path: string): SQLite.Database {
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

/** Pause before the switch to WAL is tried again, in milliseconds. */
const PAUSE_MS = 20;

/** Two processes that open a new file at the same moment: SQLite does not wait for the other's switch, so we do. */
function becomeWal(database: SQLite.Database): void {
  for (let left = BUSY_MS; ; left -= PAUSE_MS) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || left <= 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

const RIGHTS = 'Give the user of this process the right to read and write it and its folder.';
const PATH = 'A part of its path is a file: correct storage.url.';
const ADVICE: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder: let storage.url name a file in it.',
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: 'Its file system is read-only: let storage.url name another place.',
  ENOSPC: 'The disk is full: make room.',
  ENOTDIR: PATH,
  EEXIST: PATH,
  SQLITE_NOTADB: 'The file is no SQLite database: let storage.url name another file, or move this one away.',
  SQLITE_CORRUPT: 'The database is damaged: restore a backup.',
  SQLITE_READONLY: RIGHTS,
  SQLITE_CANTOPEN: RIGHTS,
  SQLITE_BUSY: 'Another process has locked it: stop that process.',
  SQLITE_FULL: 'The disk is full: make room.',
};

function openFault(path: string, cause: unknown): string {
  const code = codeOf(cause);
  return `The database ${path} cannot be opened (${code}). ${ADVICE[code] ?? 'Check storage.url and the disk.'}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
