import { notifyPeers } from './notifications.js';
import type { Database, Write } from './tables.js';
import type { Transact } from './transactions.js';

/** Ends a write that changed nothing, with its result. */
class NothingChanged extends Error {
  constructor(readonly result: unknown) {
    super('the write changed nothing');
  }
}

/**
 * Ends a write of the platform state that changed nothing: the transaction is rolled back, so that the revision
 * stays and no node is notified. The write resolves to `result`.
 */
export function unchanged(result: unknown): never {
  throw new NothingChanged(result);
}

/**
 * Creates the function for writes of the platform state. Every write increments the revision first: the row
 * stays locked until the transaction ends, so that changes run one after the other; see also {@link unchanged}. Notifies the other nodes,
 * with the id `node` as the sender.
 */
export function platformWriter(transact: Transact, node: string): Transact {
  return <Result>(work: (db: Write) => Promise<Result>) =>
    transact(async (db) => {
      await increaseRevision(db);
      await notifyPeers(db, node);
      return work(db);
    }).catch((error: unknown) => {
      if (error instanceof NothingChanged) return error.result as Result;
      throw error;
    });
}

/** Increments the revision of the state. A transaction that stores several acts needs a revision for each. */
export async function increaseRevision(db: Write): Promise<void> {
  await db
    .updateTable('platform')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
}

/** Returns the revision of the state, and the name of the active profile. */
export async function selectPlatform(
  db: Database,
): Promise<{ readonly revision: number; readonly activeProfile: string | null }> {
  return db.selectFrom('platform').select(['revision', 'activeProfile']).executeTakeFirstOrThrow();
}

export async function setActiveProfile(db: Write, name: string | null): Promise<void> {
  await db.updateTable('platform').set({ activeProfile: name }).execute();
}
