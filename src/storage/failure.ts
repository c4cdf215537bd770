import { Problem } from '../core/problem.js';

/** Codes of SQLite, PostgreSQL (its manual, appendix A) and Node.js for a database that has no room. */
const FULL = /^(SQLITE_FULL|53100|ENOSPC)$/;

/** ... for one that cannot be reached, hangs, is shutting down, is read-only, or whose device fails. */
const AWAY =
  /^(SQLITE_(BUSY|READONLY|IOERR|CANTOPEN)|08|53|57|25006|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)/;

/** The driver of PostgreSQL reports the loss of a connection, and a wait that was too long, in words alone. */
const AWAY_WORDS = /connection terminated|timeout exceeded|read timeout|client has encountered/i;

/** ... for two transactions that cannot both be carried out; each was undone as a whole. */
const CROSSED = /^(40001|40P01|SQLITE_BUSY_SNAPSHOT)$/;

/** ... for a value that is there already and must be unique. */
const TAKEN = /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/;

/** Code of PostgreSQL for a write at a server that takes none, a standby for example. */
export const READ_ONLY = '25006';

/** Codes of PostgreSQL and Node.js, and words of the driver, for a connection that is of no more use. */
const BROKEN = /^(08|57P0|25006|ECONN|EPIPE|ETIMEDOUT)/;
const BROKEN_WORDS = /connection terminated|read timeout|client has encountered/i;

/** True for a transaction that was undone because another one was in its way, or another server is the one: it can be tried again. */
export function isUndone(error: unknown): boolean {
  const code = codeOf(error);
  return CROSSED.test(code) || code === READ_ONLY;
}

/** True when the server of PostgreSQL has to be found anew. */
export function isBroken(error: unknown): boolean {
  return BROKEN.test(codeOf(error)) || (error instanceof Error && BROKEN_WORDS.test(error.message));
}

/** True when a connection ended under a statement: one that only reads can be tried again. */
export function isLost(error: unknown): boolean {
  return (
    codeOf(error).startsWith('57P0') ||
    (error instanceof Error && /connection terminated/i.test(error.message))
  );
}

/** True when a unique value was there already. */
export function isTaken(error: unknown): boolean {
  return TAKEN.test(codeOf(error));
}

/** What a caller is told of a failed transaction: `store_full`, `store_unavailable`, or the error as it is. */
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
