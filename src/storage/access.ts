import { setImmediate } from 'node:timers/promises';
import type { Connection } from './connection.js';
import { isLost, isUndone, storeFailure } from './failure.js';
import type { Database, Write } from './tables.js';

/** Runs work in one transaction; throws `store_full` or `store_unavailable`. */
export type Transact = <Result>(work: (db: Write) => Promise<Result>) => Promise<Result>;

/** Runs work that only reads; throws `store_unavailable`. */
export type ReadTransaction = <Result>(work: (db: Database) => Promise<Result>) => Promise<Result>;

/**
 * Creates the function for reads. Reads are retried, because a connection may have ended while it was idle.
 */
export function readerOf(connection: Connection): ReadTransaction {
  return (work) => mapDriverErrors(repeat(() => connection.use(work), isLost));
}

/**
 * Creates the function for writes. Retries a transaction that was rolled back because of another transaction
 * or server.
 */
export function writerOf(connection: Connection): Transact {
  return (work) =>
    mapDriverErrors(repeat(() => connection.use((db) => db.transaction().execute(work)), isUndone));
}

/** Converts errors of the driver to Problems. */
export async function mapDriverErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storeFailure(error);
  }
}

/** Maximum number of attempts for work that had no effect. */
const TRIES = 3;

async function repeat<Result>(
  work: () => Promise<Result>,
  mayPass: (error: unknown) => boolean,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES || !mayPass(error)) throw error;
      await setImmediate();
    }
  }
}
