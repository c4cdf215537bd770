import { systemClock } from '../lib/clock.js';
import {
  addAuditAddresses,
  addAuditNames,
  addAuditReasons,
  createAudit,
  createAuditChain,
} from './migrations/audit.js';
import { createDeprecatedCalls } from './migrations/deprecated-calls.js';
import { createForms } from './migrations/forms.js';
import { createLimitCounts } from './migrations/limit-counts.js';
import { createNotificationReports, createNotifications } from './migrations/notifications.js';
import { createPlatform, createRecordHistory, indexRemovedRecords } from './migrations/records.js';
import { createBrowserSessions, createLoginAttempts, createSessions } from './migrations/sessions.js';
import { addTaskOrder, createTaskAccess, createTasks } from './migrations/tasks.js';
import { createTraffic } from './migrations/traffic.js';
import { createYangModels } from './migrations/yang-models.js';
import type { Database, Write } from './tables.js';
import { lockForWrite } from './transactions.js';

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
