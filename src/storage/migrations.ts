import { sql } from 'kysely';
import { systemClock } from '../lib/clock.js';
import {
  addAuditAddresses,
  addAuditNames,
  addAuditReasons,
  createAudit,
  createAuditChain,
} from './migrations/audit.js';
import { sortedText } from './migrations/column-types.js';
import { createPlatform, createRecordHistory, indexRemovedRecords } from './migrations/records.js';
import { createBrowserSessions, createLoginAttempts, createSessions } from './migrations/sessions.js';
import { addTaskOrder, createTaskAccess, createTasks } from './migrations/tasks.js';
import type { Database, Write } from './tables.js';
import { lockForWrite, isPostgres } from './transactions.js';

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
  const current = await schemaVersionOf(db);
  const newer = newerSchemaMessage(current, migrations);
  if (newer !== undefined) throw new Error(newer);
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

/** Returns the message for a schema that a newer version of gatehouse has written; `undefined` for any other version of the schema. */
export function newerSchemaMessage(
  current: number,
  migrations: readonly Migration[] = MIGRATIONS,
): string | undefined {
  const newest = migrations.at(-1)?.version ?? 0;
  if (current <= newest) return undefined;
  return (
    `The database has schema version ${current}, written by a newer gatehouse; this gatehouse supports versions up to ${newest}. ` +
    'Install the newer version again, or restore a backup that was made before the upgrade.'
  );
}

/** Creates the table of the callers of deprecated operations. */
async function createDeprecatedCalls(db: Write): Promise<void> {
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

/** Creates the tables of forms and their versions. */
async function createForms(db: Write): Promise<void> {
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

/** Creates the tables of the counts of limits: rates, concurrent calls, and the nodes that count. */
async function createLimitCounts(db: Write): Promise<void> {
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

/** Creates the table of the YANG models that schemas refer to. */
async function createYangModels(db: Write): Promise<void> {
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

/** Creates the table of the numbers of calls by adapter and time. */
async function createTraffic(db: Write): Promise<void> {
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

/** Creates the tables of notifications: what was sent, mutes, acknowledgements, and the sender of the cluster. */
async function createNotifications(db: Write): Promise<void> {
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
async function createNotificationReports(db: Write): Promise<void> {
  await db.schema
    .createTable('notification_reports')
    .addColumn('node', 'text', (column) => column.primaryKey().notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}
