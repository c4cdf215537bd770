import { randomBytes } from 'node:crypto';
import { type ColumnBuilderCallback, sql } from 'kysely';
import { systemClock } from '../lib/clock.js';
import { createDeprecatedCalls } from './migrations/deprecated-calls.js';
import { createLimitCounts } from './migrations/limit-counts.js';
import { createNotificationReports } from './migrations/notification-reports.js';
import { createNotifications } from './migrations/notifications.js';
import { createRecordHistory } from './migrations/record-history.js';
import { indexRemovedRecords } from './migrations/removed-records.js';
import { addTaskOrder } from './migrations/task-order.js';
import { createTraffic } from './migrations/traffic.js';
import { createYangModels } from './migrations/yang-models.js';
import type { Database, Write } from './tables.js';
import { isPostgres, lockForWrite } from './transactions.js';

/**
 * A step from one version of the schema to the next. A released migration never changes: a correction is a
 * new migration.
 */
export interface Migration {
  /** 1, 2, 3, ... without gaps. */
  readonly version: number;
  readonly name: string;
  apply(db: Write): Promise<void>;
}

/** All migrations, in order; the last one creates the current schema. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'audit', apply: createAudit },
  { version: 2, name: 'forms', apply: createForms },
  { version: 3, name: 'audit_chain', apply: createAuditChain },
  { version: 4, name: 'platform', apply: createPlatform },
  { version: 5, name: 'tasks', apply: createTasks },
  { version: 6, name: 'sessions', apply: createSessions },
  { version: 7, name: 'login_attempts', apply: createLoginAttempts },
  { version: 8, name: 'task_access', apply: createTaskAccess },
  { version: 9, name: 'browser_sessions', apply: createBrowserSessions },
  { version: 10, name: 'audit_names', apply: addAuditNames },
  { version: 11, name: 'audit_addresses', apply: addAuditAddresses },
  { version: 12, name: 'audit_reasons', apply: addAuditReasons },
  { version: 13, name: 'record_history', apply: createRecordHistory },
  { version: 14, name: 'traffic', apply: createTraffic },
  { version: 15, name: 'deprecated_calls', apply: createDeprecatedCalls },
  { version: 16, name: 'notifications', apply: createNotifications },
  { version: 17, name: 'removed_records', apply: indexRemovedRecords },
  { version: 18, name: 'notification_reports', apply: createNotificationReports },
  { version: 19, name: 'task_order', apply: addTaskOrder },
  { version: 20, name: 'yang_models', apply: createYangModels },
  { version: 21, name: 'limit_counts', apply: createLimitCounts },
];

/**
 * Migrates the database to the current schema. Applies each migration in a separate transaction, and skips
 * those that were already applied. Throws, without a change, if a newer version of gatehouse has migrated the
 * database.
 */
export async function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockForWrite(transaction, 'migration');
    await transaction.schema
      .createTable('schema_versions')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute();
  });
  const newest = migrations.at(-1)?.version ?? 0;
  const current = await schemaVersionOf(db);
  if (current > newest) throw new Error(downgradeMessage(current, newest));
  for (const migration of migrations.slice(current)) await applyMigration(db, migration);
}

async function schemaVersionOf(db: Database): Promise<number> {
  const row = await db
    .selectFrom('schemaVersions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  // The maximum of no rows is null, which Kysely's type does not express.
  return (row?.version as number | null | undefined) ?? 0;
}

async function applyMigration(db: Database, migration: Migration): Promise<void> {
  const { version, name } = migration;
  await db.transaction().execute(async (transaction) => {
    // The insert locks the row. If two processes start at the same time, only one of them applies the
    // migration.
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('schemaVersions')
      .values({ version, name, appliedAt: new Date(systemClock.now()).toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 0n) await migration.apply(transaction);
  });
}

function downgradeMessage(current: number, newest: number): string {
  return (
    `The database has schema version ${current}, written by a newer gatehouse; this gatehouse supports versions up to ${newest}. ` +
    'Install the newer version again, or restore a backup that was made before the upgrade.'
  );
}

/** Returns the column type of a generated key whose values are never reused. */
function generatedKey(db: Write): ['bigserial' | 'integer', ColumnBuilderCallback] {
  if (isPostgres(db)) return ['bigserial', (column) => column.primaryKey()];
  return ['integer', (column) => column.primaryKey().autoIncrement()];
}

async function createAudit(db: Write): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', ...generatedKey(db))
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('duration_ms', 'double precision', (column) => column.notNull())
    .execute();
}

async function createForms(db: Write): Promise<void> {
  // The collation makes both databases sort alike. Without it, PostgreSQL sorts by the locale of the
  // database.
  const key = isPostgres(db) ? sql`text collate "C"` : 'text';
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

async function createPlatform(db: Write): Promise<void> {
  const key = isPostgres(db) ? sql`text collate "C"` : 'text';
  await db.schema
    .createTable('records')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', key, (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('records_key', ['kind', 'name'])
    .execute();
  await db.schema
    .createTable('wishes')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', key, (column) => column.notNull())
    .addColumn('wanted', 'text', (column) => column.notNull())
    .addColumn('restarts', 'integer', (column) => column.notNull())
    .addColumn('levels', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('wishes_key', ['kind', 'name'])
    .execute();
  await db.schema
    .createTable('platform')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('active_profile', 'text')
    .execute();
  await db.insertInto('platform').values({ revision: 0, activeProfile: null }).execute();
}

async function createTasks(db: Write): Promise<void> {
  const key = isPostgres(db) ? sql`text collate "C"` : 'text';
  await db.schema
    .createTable('tasks')
    .addColumn('id', key, (column) => column.primaryKey().notNull())
    .addColumn('view', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('last_updated', key, (column) => column.notNull())
    .addColumn('head', 'text', (column) => column.notNull())
    // The document is the last column, because it is long and SQLite reads a row from its start.
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}

/** Adds the hash chain to the audit table. Existing records do not become part of the chain. */
async function createAuditChain(db: Write): Promise<void> {
  for (const digest of ['before', 'after'])
    await db.schema
      .alterTable('audit')
      .addColumn(digest, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  await db.schema.alterTable('audit').addColumn('seq', 'bigint').execute();
  for (const hash of ['prev', 'hash']) await db.schema.alterTable('audit').addColumn(hash, 'text').execute();
  await db.schema.createIndex('audit_seq').on('audit').column('seq').unique().execute();
  await db.schema.createIndex('audit_request_id').on('audit').column('request_id').execute();
  await db.schema
    .createTable('audit_chain')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  const key = randomBytes(32).toString('hex');
  await db.insertInto('auditChain').values({ id: 1, key, seq: 0, hash: '' }).execute();
}

async function createSessions(db: Write): Promise<void> {
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

async function createLoginAttempts(db: Write): Promise<void> {
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

/** Adds the access of tasks. Every caller may still read the existing tasks, as before. */
async function createTaskAccess(db: Write): Promise<void> {
  const key = isPostgres(db) ? sql`text collate "C"` : 'text';
  await db.schema
    .createTable('task_access')
    .addColumn('task_id', key, (column) => column.primaryKey().references('tasks.id').onDelete('cascade'))
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('readers', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('task_access_owner').on('task_access').column('owner').execute();
  await sql`insert into task_access (task_id, owner, readers, bytes)
    select id, '', ' * ', length(document) from tasks`.execute(db);
}

async function createBrowserSessions(db: Write): Promise<void> {
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

/** Adds the names of callers to the audit table. Existing records keep their seals. */
async function addAuditNames(db: Write): Promise<void> {
  await db.schema.alterTable('audit').addColumn('name', 'text').execute();
}

/** Adds the addresses of clients to the audit table. Existing records keep their seals. */
async function addAuditAddresses(db: Write): Promise<void> {
  await db.schema.alterTable('audit').addColumn('client_address', 'text').execute();
}

/** Adds the reasons of orchestrators to the audit table. Existing records keep their seals. */
async function addAuditReasons(db: Write): Promise<void> {
  await db.schema.alterTable('audit').addColumn('reason', 'text').execute();
}
