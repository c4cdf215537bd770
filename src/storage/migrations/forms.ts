import type { Write } from '../tables.js';
import { sortedText } from './column-types.js';

/** Creates the tables of forms and their versions. */
export async function createForms(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('forms')
    .addColumn('id', key, (column) => column.primaryKey().notNull())
    .addColumn('name', key, (column) => column.notNull().unique())
    .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('form_versions')
    .addColumn('form_id', key, (column) => column.notNull().references('forms.id').onDelete('cascade'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('form_versions_key', ['form_id', 'revision'])
    .execute();
}
