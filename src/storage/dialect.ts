import { PostgresAdapter, sql } from 'kysely';
import type { Database, Write } from './tables.js';

/** Returns true for PostgreSQL, false for SQLite. */
export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Names of work that only one transaction may do at a time. The numbers identify the locks, and must not be
 * used by other programs.
 */
const TURNS = {
  migration: 7_283_116_402,
  import: 7_283_116_403,
  tasks: 7_283_116_404,
  endedTokens: 7_283_116_405,
} as const;

/** Waits until no other transaction holds this lock, and holds it until the transaction ends. */
export async function lockForWrite(db: Write, turn: keyof typeof TURNS): Promise<void> {
  // SQLite needs no lock, because it has one writer at a time.
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.lit(TURNS[turn])})`.execute(db);
}
