import type { Write } from '../tables.js';
import { sortedText } from './column-types.js';

/** Creates the table of the YANG models that schemas refer to. */
export async function createYangModels(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('yang_models')
    .addColumn('digest', key, (column) => column.primaryKey().notNull())
    .addColumn('characters', 'integer', (column) => column.notNull())
    .addColumn('last_used', 'bigint', (column) => column.notNull())
    // The archive is the last column, because it is long and SQLite reads a row from its start.
    .addColumn('archive', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('yang_models_last_used').on('yang_models').column('last_used').execute();
}
