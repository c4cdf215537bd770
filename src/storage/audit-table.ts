import type { ChainedRecord, ChainHead } from '../core/audit-chain.js';
import type { AuditRow } from '../core/audit-store.js';
import { AUDIT_FIELDS, type AuditRecord } from '../core/audit.js';
import type { BigInteger, Database, Write } from './tables.js';

/** Returns the last rows, newest first. */
export async function selectAudit(db: Database, limit: number): Promise<readonly AuditRecord[]> {
  return db.selectFrom('audit').select(AUDIT_FIELDS).orderBy('id', 'desc').limit(limit).execute();
}

/** Returns the key of the chain, and its end. */
export async function selectChain(db: Database): Promise<ChainHead & { readonly key: string }> {
  const { key, seq, hash } = await db.selectFrom('auditChain').selectAll().executeTakeFirstOrThrow();
  return { key, seq: Number(seq), hash };
}

/**
 * Reserves `count` sequence numbers, and returns the previous end of the chain. Other writers wait until this
 * transaction ends: in PostgreSQL for the row, in SQLite for the database.
 */
export async function reserveLinks(db: Write, count: number): Promise<ChainHead> {
  const { seq, hash } = await db
    .updateTable('auditChain')
    .set(({ eb }) => ({ seq: eb('seq', '+', count) }))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  return { seq: Number(seq) - count, hash };
}

/** Number of rows per statement: each row has fourteen values, and SQLite accepts 32,766. */
const ROWS = 500;

/** Inserts records with reserved sequence numbers, and moves the end of the chain. */
export async function insertLinks(db: Write, links: readonly ChainedRecord[]): Promise<void> {
  for (let at = 0; at < links.length; at += ROWS)
    await db
      .insertInto('audit')
      .values(links.slice(at, at + ROWS))
      .execute();
  const hash = links.at(-1)?.hash ?? '';
  await db.updateTable('auditChain').set({ hash }).execute();
}

const ROW = ['id', 'seq', 'prev', 'hash', ...AUDIT_FIELDS] as const;

/** Filters for a block of rows. */
export interface Block {
  readonly limit: number;
  /** Only rows below this id. */
  readonly before?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Returns rows, newest first. */
export async function selectNewest(
  db: Database,
  { limit, before, requestId }: Block,
): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .select(ROW)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .$if(requestId !== undefined, (query) => query.where('requestId', '=', requestId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}

/** Returns rows after an id, oldest first. */
export async function selectOldest(
  db: Database,
  behind: number,
  limit: number,
): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .select(ROW)
    .where('id', '>', behind)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}

interface StoredRow extends AuditRecord {
  readonly id: BigInteger;
  readonly seq: BigInteger | null;
  readonly prev: string | null;
  readonly hash: string | null;
}

function rowOf({ id, seq, prev, hash, ...record }: StoredRow): AuditRow {
  const link = seq === null ? {} : { seq: Number(seq), prev: prev ?? '', hash: hash ?? '' };
  return { id: Number(id), entry: { ...record, ...link } };
}
