import { sql } from 'kysely';
import type { Write } from '../tables.js';
import { sortedText } from './column-types.js';

/** Creates the tables of adapters and profiles, their requested states, and the active profile. */
export async function createPlatform(db: Write): Promise<void> {
  const key = sortedText(db);
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

/**
 * Adds the versions of adapters and profiles, the confirmed commits, and the acts of operators. The stored
 * documents become the first versions, whose authors and times are unknown.
 */
export async function createRecordHistory(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('record_versions')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', key, (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint')
    .addColumn('author', 'text')
    .addColumn('comment', 'text')
    .addColumn('restores', 'integer')
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('record_versions_key', ['kind', 'name', 'revision'])
    .execute();
  await sql`insert into record_versions (kind, name, revision, action, document)
    select kind, name, revision, 'stored', document from records`.execute(db);
  await db.schema
    .createTable('confirmed_commits')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', key, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('author', 'text')
    .addColumn('comment', 'text')
    .addColumn('previous', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('confirmed_commits_key', ['kind', 'name'])
    .execute();
  await db.schema
    .createTable('operator_acts')
    .addColumn('revision', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', key, (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('author', 'text')
    .addColumn('reason', 'text')
    .addColumn('until', 'bigint')
    .addColumn('detail', 'text')
    .execute();
  await db.schema.createIndex('operator_acts_at').on('operator_acts').column('at').execute();
}

/** Adds the index of the deleted records, so that a deletion does not read all versions. */
export async function indexRemovedRecords(db: Write): Promise<void> {
  await sql`create index record_versions_removed on record_versions (kind, revision)
    where action = 'removed'`.execute(db);
}
