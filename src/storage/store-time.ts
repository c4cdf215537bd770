import { sql } from 'kysely';
import { systemClock } from '../lib/clock.js';
import type { BigInteger, Database } from './tables.js';
import { isPostgres } from './transactions.js';

/**
 * Returns the time of the database in milliseconds since 1970: the nodes of a cluster share it, while their own clocks
 * may differ. For SQLite, whose processes run on one machine, returns `now`: the time of the system clock, because the origin
 * of a monotonic clock differs between processes.
 */
export async function storeTime(db: Database, now: number): Promise<number> {
  if (!isPostgres(db)) return Math.floor(now);
  const { rows } = await sql<{ readonly now: BigInteger }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  return Number(rows[0]?.now);
}

/**
 * Returns how many milliseconds the clock of the database is ahead of the clock of this process; 0 for SQLite. The time of the reply counts
 * as delay, so that a deadline of the database is never early.
 */
export async function storeAheadMs(db: Database): Promise<number> {
  if (!isPostgres(db)) return 0;
  const now = await storeTime(db, 0);
  return now - systemClock.now();
}
