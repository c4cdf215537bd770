import { notifyPeers } from './notifications.js';
import type { Database, Write } from './tables.js';
import type { Transact } from './transactions.js';

/**
 * Creates the function for writes of the platform state. Every write increments the revision first: the row
 * stays locked until the transaction ends, so that changes run one after the other. Notifies the other nodes,
 * with the id `node` as the sender.
 */
export function platformWriter(transact: Transact, node: string): Transact {
  return (work) =>
    transact(async (db) => {
      await db
        .updateTable('platform')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .execute();
      await notifyPeers(db, node);
      return work(db);
    });
}

/** Returns the revision of the state, and the name of the active profile. */
export async function selectPlatform(
  db: Database,
): Promise<{ readonly revision: number; readonly activeProfile: string | null }> {
  return db.selectFrom('platform').select(['revision', 'activeProfile']).executeTakeFirstOrThrow();
}

/** Sets the active profile. */
export async function setActiveProfile(db: Write, name: string | null): Promise<void> {
  await db.updateTable('platform').set({ activeProfile: name }).execute();
}
