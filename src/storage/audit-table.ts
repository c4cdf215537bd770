import type { AuditRecord } from '../domain/audit.js';
import type { Database } from './tables.js';

const COLUMNS = [
  'time',
  'requestId',
  'operation',
  'subject',
  'issuer',
  'target',
  'status',
  'outcome',
  'durationMs',
] as const satisfies readonly (keyof AuditRecord)[];

/** Adds a row. */
export async function insertAudit(db: Database, record: AuditRecord): Promise<void> {
  await db.insertInto('audit').values(record).execute();
}

/** The last rows, newest first. */
export async function selectAudit(db: Database, limit: number): Promise<readonly AuditRecord[]> {
  return db.selectFrom('audit').select(COLUMNS).orderBy('id', 'desc').limit(limit).execute();
}
