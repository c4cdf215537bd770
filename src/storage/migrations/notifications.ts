import type { Write } from '../tables.js';
import { sortedText } from './column-types.js';

/** Creates the tables of notifications: what was sent, mutes, acknowledgements, and the sender of the cluster. */
export async function createNotifications(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('notification_states')
    .addColumn('receiver', key, (column) => column.notNull())
    .addColumn('problem', key, (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('missing_at', 'bigint')
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('notification_states_key', ['receiver', 'problem'])
    .execute();
  await db.schema
    .createTable('notification_mutes')
    .addColumn('id', key, (column) => column.primaryKey().notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('problem_acknowledgements')
    .addColumn('problem', key, (column) => column.primaryKey().notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('notification_sender')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('node', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}

/** Creates the table of the problems that each process of the cluster sees. */
export async function createNotificationReports(db: Write): Promise<void> {
  await db.schema
    .createTable('notification_reports')
    .addColumn('node', 'text', (column) => column.primaryKey().notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}
