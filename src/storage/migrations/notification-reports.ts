import type { Write } from '../tables.js';

/** Creates the table of the problems that each process of the cluster sees. */
export async function createNotificationReports(db: Write): Promise<void> {
  await db.schema
    .createTable('notification_reports')
    .addColumn('node', 'text', (column) => column.primaryKey().notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}
