import { setImmediate } from 'node:timers/promises';
import type { Connection } from './connection.js';
import { isLost, isUndone, storeFailure } from './failure.js';
import type { Database, Write } from './tables.js';

/** Runs work in one transaction; throws `store_full` or `store_unavailable`. */
export type Transact = <Result>(work: (db: Write) => Promise<Result>) => Promise<Result>;

/** Runs work that only reads; throws `store_unavailable`. */
export type ReadTransaction = <Result>(work: (db: Database) => Promise<Result>) => Promise<Result>;

/** How reads reach the database: a connection may have ended while nobody used it, so they are tried again. */
export function readerOf(connection: Connection): ReadTransaction {
  return (work) => mapDriverErrors(repeat(() => connection.use(work), isLost));
}

/** How writes reach the database: a transaction that was undone without being at fault is tried again. */
export function writerOf(connection: Connection): Transact {
  return (work) =>
    mapDriverErrors(repeat(() => connection.use((db) => db.transaction().execute(work)), isUndone));
}

/** Turns what the driver throws into a Problem. */
export async function mapDriverErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storeFailure(error);
  }
}

/** How often work is tried that did nothing. */
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
