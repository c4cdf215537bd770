import { sql } from 'kysely';
import { isPostgres } from './dialect.js';
import type { Write } from './tables.js';

/** Channel on which nodes notify each other of changes to the platform state. */
export const CHANNEL = 'gatehouse_platform';

/**
 * Notifies the other nodes of a change when its transaction is committed. Sends nothing if the transaction is
 * rolled back. `node` is the sender, so that it can ignore its own notifications. With SQLite there is only
 * one node.
 */
export async function notifyPeers(db: Write, node: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_notify(${CHANNEL}, ${node})`.execute(db);
}
