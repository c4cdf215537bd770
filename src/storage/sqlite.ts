import { isAbsolute } from 'node:path';
import { CamelCasePlugin, Kysely } from 'kysely';
import { sqliteDialect } from './sqlite-dialect.js';
import { SqliteThread } from './sqlite-thread.js';
import type { Database, Tables } from './tables.js';

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:` in a thread of its own, so that a
 * commit is on the disk when it resolves. Throws an Error that says what to do.
 */
export async function openSqlite(path: string): Promise<Database> {
  if (path !== ':memory:' && !isAbsolute(path)) {
    // The path is not repeated: it may have come from Vault.
    throw new Error('storage.url must be sqlite:/absolute/path or sqlite::memory:.');
  }
  try {
    const thread = await SqliteThread.open(path);
    return new Kysely<Tables>({ dialect: sqliteDialect(thread), plugins: [new CamelCasePlugin()] });
  } catch (cause) {
    throw new Error(openFault(path, cause), { cause });
  }
}

/**
 * True when an error says that the device failed under the database, or its thread. The connection must then not be used again:
 * after a failed sync, Linux calls the next one good whatever was lost.
 */
export function isDeviceFault(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_IOERR');
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
