import { createRequire } from 'node:module';
import type { DatabaseSyncInstance, SqliteModule } from '@photostructure/sqlite';

/** One connection to a SQLite database, with the interface of `node:sqlite`. */
export type SqliteDatabase = DatabaseSyncInstance;

/** npm package of the driver. It contains a binary for each platform, and nothing is compiled. */
const SQLITE_DRIVER = '@photostructure/sqlite';

/** Error code of a driver that is not installed, or not for this platform. */
export const DRIVER_MISSING_CODE = 'SQLITE_DRIVER';

const require = createRequire(import.meta.url);

/** Loads the driver of SQLite. Throws an Error with {@link DRIVER_MISSING_CODE} and advice if that fails. */
export function loadSqliteDriver(load: (name: string) => unknown = require): SqliteModule {
  try {
    return load(SQLITE_DRIVER) as SqliteModule;
  } catch (cause) {
    const { platform, arch } = process;
    const message =
      `The SQLite driver ${SQLITE_DRIVER} cannot be loaded for ${platform} ${arch} and Node.js ${process.version}. ` +
      'Install gatehouse again on this machine, or set storage.url to a PostgreSQL database.';
    throw Object.assign(new Error(message, { cause }), { code: DRIVER_MISSING_CODE });
  }
}

/** Names of the primary result codes of SQLite (https://www.sqlite.org/rescode.html), by number. */
const RESULT_CODES: readonly string[] = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT'],
  ...['IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG'],
  ...['CONSTRAINT', 'MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
];

/** Names of the extended result codes that gatehouse distinguishes from their primary code. */
const EXTENDED_RESULT_CODES: Readonly<Record<number, string>> = {
  517: 'BUSY_SNAPSHOT',
  1555: 'CONSTRAINT_PRIMARYKEY',
  2067: 'CONSTRAINT_UNIQUE',
};

/**
 * Returns the code of an error of the driver as SQLite names it, for example `SQLITE_FULL`. Returns the
 * `code` of any other error, and undefined if the error has none.
 */
export function sqliteCodeOf(error: Error): string | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') {
    // The lower 8 bits of an extended code are its primary code.
    const name = EXTENDED_RESULT_CODES[error.errcode] ?? RESULT_CODES[error.errcode & 0xff];
    return `SQLITE_${name ?? error.errcode}`;
  }
  return 'code' in error ? String(error.code) : undefined;
}

/** Returns true for an error because another connection has locked the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') === true;
}
