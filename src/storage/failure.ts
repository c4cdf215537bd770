import { Problem } from '../core/problem.js';

/** Codes of SQLite, PostgreSQL (its manual, appendix A) and Node.js for a full database. */
const FULL_CODES = /^(SQLITE_FULL|53100|ENOSPC)$/;

/** Codes for a database that is unreachable, locked, shutting down or read-only, or whose device failed. */
const UNAVAILABLE_CODES =
  /^(SQLITE_(BUSY|READONLY|IOERR|CANTOPEN)|08|53|57|25006|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)/;

/** Messages of the PostgreSQL driver for a lost connection and for a time-out; these errors have no code. */
const UNAVAILABLE_MESSAGES = /connection terminated|timeout exceeded|read timeout|client has encountered/i;

/** Codes of failures before a change is stored: a lock of another process, no connection, or no right to write. */
const NOT_STORED_CODES =
  /^(SQLITE_(BUSY|READONLY|CANTOPEN)|25006|53300|57P03|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)/;

/** Codes for a transaction that was rolled back because of a conflict with another transaction. */
const CONFLICT_CODES = /^(40001|40P01|SQLITE_BUSY_SNAPSHOT)$/;

/** Codes for the violation of a unique constraint. */
const UNIQUE_VIOLATION_CODES = /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/;

/** Code of PostgreSQL for a write to a server that accepts no writes, for example a standby. */
export const READ_ONLY = '25006';

/** Codes of PostgreSQL and Node.js for a connection that cannot be used again. */
const BROKEN_CODES = /^(08|57P0|25006|ECONN|EPIPE|ETIMEDOUT)/;
/**
 * Messages of the PostgreSQL driver for a connection that cannot be used again; these errors have no code.
 */
const BROKEN_MESSAGES = /connection terminated|read timeout|client has encountered/i;

/**
 * Returns true if a transaction can be retried. It was rolled back because of a conflict, or because the
 * server no longer accepts writes.
 */
export function isRolledBack(error: unknown): boolean {
  const code = errorCodeOf(error);
  return CONFLICT_CODES.test(code) || code === READ_ONLY;
}

/** Returns true if the connection is unusable, so that the primary server must be located again. */
export function isConnectionBroken(error: unknown): boolean {
  return (
    BROKEN_CODES.test(errorCodeOf(error)) || (error instanceof Error && BROKEN_MESSAGES.test(error.message))
  );
}

/** Returns true if the connection ended during a statement; reads can be retried. */
export function isConnectionLost(error: unknown): boolean {
  return (
    errorCodeOf(error).startsWith('57P0') ||
    (error instanceof Error && /connection terminated/i.test(error.message))
  );
}

export function isStoreFull(error: unknown): boolean {
  return FULL_CODES.test(errorCodeOf(error));
}

/** Returns true if a unique constraint was violated. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATION_CODES.test(errorCodeOf(error));
}

/**
 * Converts the error of a failed transaction to a Problem: `store_full` or `store_unavailable`. Returns other
 * errors unchanged.
 */
export function storeFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = errorCodeOf(error);
  if (isStoreFull(error))
    return new Problem('store_full', 'The database is full; the change was not stored.', { cause: error });
  if (!UNAVAILABLE_CODES.test(code) && !UNAVAILABLE_MESSAGES.test(error.message)) return error;
  const extras = { cause: error, headers: { 'retry-after': '2' } };
  if (!NOT_STORED_CODES.test(code)) {
    const detail = 'The database is not available. A change in this request may or may not have been stored.';
    return new Problem('store_unavailable', detail, extras);
  }
  const state = code.startsWith('SQLITE_BUSY') ? 'locked by another process' : 'not available';
  return new Problem('store_unavailable', `The database is ${state}; the change was not stored.`, {
    ...extras,
    advice: 'Send the request again later.',
  });
}

function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
