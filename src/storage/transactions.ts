import { setImmediate } from 'node:timers/promises';
import { PostgresAdapter, sql } from 'kysely';
import { Problem } from '../core/problem.js';
import type { Connection } from './connection.js';
import { isConnectionLost, isRolledBack, storeFailure } from './failure.js';
import type { Database, Write } from './tables.js';

/** Runs work in one transaction; throws `store_full` or `store_unavailable`. */
export type Transact = <Result>(work: (db: Write) => Promise<Result>) => Promise<Result>;

/** Runs work that only reads; throws `store_unavailable`. */
export type ReadTransaction = <Result>(work: (db: Database) => Promise<Result>) => Promise<Result>;

/** Creates the function for reads. Retries a read whose connection ended, for example while it was idle. */
export function readerOf(connection: Connection): ReadTransaction {
  return (work) => mapDriverErrors(retry(() => connection.use(work), isConnectionLost));
}

/**
 * Creates the function for writes. Retries a transaction that was rolled back because of a conflict, or
 * because the server no longer accepts writes.
 */
export function writerOf(connection: Connection): Transact {
  return async (work) => {
    try {
      return await mapDriverErrors(
        retry(() => connection.use((db) => db.transaction().execute(work)), isRolledBack),
      );
    } catch (error) {
      connection.isFull ||= error instanceof Problem && error.code === 'store_full';
      throw error;
    }
  };
}

/** Text of the row that needs space, so that a single free page is not enough. */
const FILLER = 'x'.repeat(65_536);

/** Rejects with `store_full` while the database has no space. Writes only after a write has found it full. */
export async function requireSpace(connection: Connection): Promise<void> {
  if (!connection.isFull) return;
  const write = writerOf(connection);
  const drop = (db: Write) => sql`drop table if exists space_probe`.execute(db);
  // In transactions of their own: within one, the database would not write what is dropped.
  await write(drop);
  await write(async (db) => {
    await sql`create table if not exists space_probe (filler text)`.execute(db);
    await sql`insert into space_probe (filler) values (${FILLER})`.execute(db);
  });
  await write(drop);
  connection.isFull = false;
}

/** Converts errors of the driver to Problems. */
export async function mapDriverErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storeFailure(error);
  }
}

/** Maximum number of attempts for a read, or for a transaction that was rolled back. */
const MAX_ATTEMPTS = 3;

/** Runs work, and runs it again for errors after which it may be repeated. */
export async function retry<Result>(
  work: () => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      await setImmediate();
    }
  }
}

/** Returns true for PostgreSQL, false for SQLite. */
export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Ids of the advisory locks, each for work that only one transaction may do at a time. Other programs on the
 * same database must not use these ids.
 */
const LOCK_IDS = {
  migration: 7_283_116_402,
  import: 7_283_116_403,
  tasks: 7_283_116_404,
  endedTokens: 7_283_116_405,
  traffic: 7_283_116_406,
  deprecatedCalls: 7_283_116_407,
  notifications: 7_283_116_408,
  yangModels: 7_283_116_409,
  limitCounts: 7_283_116_410,
} as const;

/** Acquires a lock for a transaction. PostgreSQL releases the lock when the transaction ends. */
export async function lockForWrite(db: Write, lock: keyof typeof LOCK_IDS): Promise<void> {
  // SQLite needs no lock: a transaction there begins with the lock of all writers.
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_IDS[lock])})`.execute(db);
}
