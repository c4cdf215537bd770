import { randomBytes } from 'node:crypto';
import type { Write } from '../tables.js';
import { generatedKey } from './column-types.js';

export async function createAudit(db: Write): Promise<void> {
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

/** Adds the hash chain to the audit table. Existing records do not become part of the chain. */
export async function createAuditChain(db: Write): Promise<void> {
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

/** Adds the names of callers to the audit table. Existing records keep their seals. */
export async function addAuditNames(db: Write): Promise<void> {
  await db.schema.alterTable('audit').addColumn('name', 'text').execute();
}

/** Adds the addresses of clients to the audit table. Existing records keep their seals. */
export async function addAuditAddresses(db: Write): Promise<void> {
  await db.schema.alterTable('audit').addColumn('client_address', 'text').execute();
}

/** Adds the reasons of orchestrators to the audit table. Existing records keep their seals. */
export async function addAuditReasons(db: Write): Promise<void> {
  await db.schema.alterTable('audit').addColumn('reason', 'text').execute();
}
