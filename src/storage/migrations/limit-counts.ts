import type { Write } from '../tables.js';
import { sortedText } from './column-types.js';

/** Creates the tables of the counts of limits: rates, concurrent calls, and the nodes that count. */
export async function createLimitCounts(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('limit_rates')
    .addColumn('id', key, (column) => column.primaryKey().notNull())
    .addColumn('full_at', 'double precision', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('limit_slots')
    .addColumn('id', key, (column) => column.notNull())
    .addColumn('node', key, (column) => column.notNull())
    .addColumn('held', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('limit_slots_key', ['id', 'node'])
    .execute();
  await db.schema
    .createTable('limit_nodes')
    .addColumn('node', key, (column) => column.primaryKey().notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}
