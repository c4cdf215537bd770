import { sql } from 'kysely';
import type { Write } from '../tables.js';

/** Adds the index of the deleted records, so that a deletion does not read all versions. */
export async function indexRemovedRecords(db: Write): Promise<void> {
  await sql`create index record_versions_removed on record_versions (kind, revision)
    where action = 'removed'`.execute(db);
}
