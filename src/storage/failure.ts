import { Problem } from '../core/problem.js';

/** Codes of SQLite, PostgreSQL (its manual, appendix A) and Node.js for a full database. */
const FULL = /^(SQLITE_FULL|53100|ENOSPC)$/;

/** Codes for a database that is unreachable, hangs, is shutting down, is read-only, or whose device fails. */
const AWAY =
  /^(SQLITE_(BUSY|READONLY|IOERR|CANTOPEN)|08|53|57|25006|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)/;

/**
 * Messages of the PostgreSQL driver for a lost connection and a wait that was too long, which have no code.
 */
const AWAY_WORDS = /connection terminated|timeout exceeded|read timeout|client has encountered/i;

/** Codes for two conflicting transactions; each was rolled back as a whole. */
const CROSSED = /^(40001|40P01|SQLITE_BUSY_SNAPSHOT)$/;

/** Codes for a unique value that already exists. */
const TAKEN = /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/;

/** Code of PostgreSQL for a write to a server that accepts no writes, for example a standby. */
export const READ_ONLY = '25006';

/**
 * Codes of PostgreSQL and Node.js, and messages of the driver, for a connection that cannot be used again.
 */
const BROKEN = /^(08|57P0|25006|ECONN|EPIPE|ETIMEDOUT)/;
const BROKEN_WORDS = /connection terminated|read timeout|client has encountered/i;

/**
 * Returns true for a transaction that can be retried: it was rolled back because of a conflict, or because
 * another server is the primary.
 */
export function isUndone(error: unknown): boolean {
  const code = codeOf(error);
  return CROSSED.test(code) || code === READ_ONLY;
}

/** Returns true if the PostgreSQL server must be located again. */
export function isBroken(error: unknown): boolean {
  return BROKEN.test(codeOf(error)) || (error instanceof Error && BROKEN_WORDS.test(error.message));
}

/** Returns true if a connection ended during a statement; work that only reads can be retried. */
export function isLost(error: unknown): boolean {
  return (
    codeOf(error).startsWith('57P0') ||
    (error instanceof Error && /connection terminated/i.test(error.message))
  );
}

/** Returns true if a unique value already existed. */
export function isTaken(error: unknown): boolean {
  return TAKEN.test(codeOf(error));
}

/**
 * Returns the error of a failed transaction for the caller: `store_full`, `store_unavailable`, or the error
 * unchanged.
 */
export function storeFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = codeOf(error);
  if (FULL.test(code))
    return new Problem('store_full', 'There is no room left for what was sent.', { cause: error });
  if (!AWAY.test(code) && !AWAY_WORDS.test(error.message)) return error;
  const detail = 'The database does not take part. A change that was sent may have been carried out or not.';
  return new Problem('store_unavailable', detail, { cause: error, headers: { 'retry-after': '2' } });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
