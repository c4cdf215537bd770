import type { Write } from '../tables.js';
import { sortedText } from './column-types.js';

/** Creates the table of the callers of deprecated operations. */
export async function createDeprecatedCalls(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('deprecated_calls')
    .addColumn('operation', key, (column) => column.notNull())
    .addColumn('issuer', key, (column) => column.notNull())
    .addColumn('caller', key, (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addColumn('last_call', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('deprecated_calls_key', ['operation', 'issuer', 'caller'])
    .execute();
  await db.schema
    .createIndex('deprecated_calls_last_call')
    .on('deprecated_calls')
    .column('last_call')
    .execute();
}
