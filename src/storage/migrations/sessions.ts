import type { Write } from '../tables.js';
import { generatedKey } from './column-types.js';

/** Creates the tables of issued tokens and of revoked tokens. */
export async function createSessions(db: Write): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('shown', 'text', (column) => column.notNull())
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('ended_tokens')
    .addColumn('seq', ...generatedKey(db))
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('ended_tokens_until').on('ended_tokens').column('until').execute();
}

export async function createLoginAttempts(db: Write): Promise<void> {
  await db.schema
    .createTable('login_attempts')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('login_attempts_key', ['kind', 'name'])
    .execute();
  await db.schema.createIndex('login_attempts_until').on('login_attempts').column('until').execute();
}

export async function createBrowserSessions(db: Write): Promise<void> {
  const times = ['token_until', 'started_at', 'active_at', 'ends_at', 'reserved_until'];
  let table = db.schema
    .createTable('browser_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('sid', 'text')
    .addColumn('token_digest', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull());
  for (const time of times) table = table.addColumn(time, 'bigint', (column) => column.notNull());
  await table.addColumn('sealed', 'text', (column) => column.notNull()).execute();
  for (const column of ['sid', 'subject', 'ends_at'])
    await db.schema.createIndex(`browser_sessions_${column}`).on('browser_sessions').column(column).execute();
}
