import { sql } from 'kysely';
import { isPostgres } from './dialect.js';
import type { Write } from './tables.js';

/** Where nodes tell each other that the state of the platform has changed. */
export const CHANNEL = 'gatehouse_platform';

/**
 * Tells the other nodes of a change when its transaction is committed, and nobody when it is undone. `node` is who
 * tells, so that it need not listen to itself. SQLite has one node.
 */
export async function notifyPeers(db: Write, node: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_notify(${CHANNEL}, ${node})`.execute(db);
}
