import { sql } from 'kysely';
import type { Write } from '../tables.js';
import { isPostgres } from '../transactions.js';
import { sortedText } from './column-types.js';

/** Creates the table of the numbers of calls by adapter and time. */
export async function createTraffic(db: Write): Promise<void> {
  const key = sortedText(db);
  const numbers = [
    ...['calls', 'errors', 'client_errors', 'max_in_flight', 'max_waiting'],
    ...['open_seconds', 'half_open_seconds'],
  ];
  let table = db.schema
    .createTable('traffic')
    .addColumn('seconds', 'integer', (column) => column.notNull())
    .addColumn('adapter', key, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull());
  for (const name of numbers) table = table.addColumn(name, 'integer', (column) => column.notNull());
  table = table
    .addColumn('durations', 'text', (column) => column.notNull())
    .addColumn('callers', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_key', ['seconds', 'adapter', 'at']);
  // The primary key of SQLite is then the table itself, which makes the file smaller by a third.
  await (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)).execute();
  // The index has the columns of the sums, so that a sum reads no durations.
  await db.schema
    .createIndex('traffic_sums')
    .on('traffic')
    .columns(['seconds', 'at', 'adapter', 'calls', 'errors'])
    .execute();
}
