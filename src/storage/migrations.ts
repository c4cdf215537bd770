import type { Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** One step from a version of the schema to the next. Released steps are never changed: a correction is a new step. */
export interface Migration {
  /** 1, 2, 3, ... without gaps. */
  readonly version: number;
  readonly name: string;
  apply(db: Transaction<Tables>): Promise<void>;
}

/** The way to today's schema. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'audit', apply: createAudit }];

async function createAudit(db: Transaction<Tables>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
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
