import { sql } from 'kysely';
import { isPostgres } from './dialect.js';
import type { Write } from './tables.js';

/** One step from a version of the schema to the next. Released steps are never changed: a correction is a new step. */
export interface Migration {
  /** 1, 2, 3, ... without gaps. */
  readonly version: number;
  readonly name: string;
  apply(db: Write): Promise<void>;
}

/** The way to today's schema. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'audit', apply: createAudit },
  { version: 2, name: 'forms', apply: createForms },
];

async function createAudit(db: Write): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', isPostgres(db) ? 'bigserial' : 'integer', (column) =>
      isPostgres(db) ? column.primaryKey() : column.primaryKey().autoIncrement(),
    )
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
  // Both stores list in the same order: PostgreSQL would follow the language of the database.
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
