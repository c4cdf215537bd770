import { systemClock } from '../core/lib/clock.js';
import { lockForWrite } from './dialect.js';
import { MIGRATIONS, type Migration } from './migrations.js';
import type { Database } from './tables.js';

/**
 * Migrates the database to the current schema, each step in a separate transaction. Skips steps that were
 * already applied. Throws, and changes nothing, if a newer version of this program has migrated the database.
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
  const known = migrations.at(-1)?.version ?? 0;
  const present = await versionOf(db);
  if (present > known) throw new Error(downgradeFault(present, known));
  for (const migration of migrations.slice(present)) await step(db, migration);
}

async function versionOf(db: Database): Promise<number> {
  const row = await db
    .selectFrom('schemaVersions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  // The maximum of no rows is null, which Kysely's type does not express.
  return (row?.version as number | null | undefined) ?? 0;
}

async function step(db: Database, migration: Migration): Promise<void> {
  const { version, name } = migration;
  await db.transaction().execute(async (transaction) => {
    // Inserting the row first takes the lock. If two processes start at once, only one applies the step.
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('schemaVersions')
      .values({ version, name, appliedAt: new Date(systemClock.now()).toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 0n) await migration.apply(transaction);
  });
}

function downgradeFault(present: number, known: number): string {
  return (
    `The database has schema version ${present}, written by a newer gatehouse; this one knows ${known}. ` +
    'Install the newer version again, or restore a backup that was made before the upgrade.'
  );
}
