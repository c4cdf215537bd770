import { setImmediate } from 'node:timers/promises';
import type { AuditRecord } from '../../core/audit.js';
import { Problem } from '../../core/problem.js';
import type { Connection } from '../../storage/connection.js';
import { isConnectionBroken, storeFailure } from '../../storage/failure.js';
import type { BigInteger, Database, Write } from '../../storage/tables.js';
import { retry } from '../../storage/transactions.js';
import { type AuditRow, type AuditStore, type AuditPage, type AuditQuery, beginPage } from './audit-trail.js';
import { AUDIT_FIELDS, chained, type ChainedRecord, type ChainHead, OPTIONAL_AUDIT_FIELDS } from './chain.js';

/** Number of rows per read. A larger read would block the process for too long. */
const ROWS_PER_READ = 500;

/** Maximum number of rows that one search reads. */
const MAX_ROWS_PER_SEARCH = 50_000;

/** Creates the audit store of an open database. */
export function auditStore(connection: Connection): AuditStore {
  const chain = () => connection.use(selectChain);
  return {
    key: async () => (await chain()).key,
    head: async () => {
      const { seq, hash } = await chain();
      return { seq, hash };
    },
    append: (records, seal) => appendOnce(connection, records, seal),
    find: (query) =>
      searchTrail(query, (before) =>
        connection.use((db) =>
          selectNewest(db, { limit: ROWS_PER_READ, before, requestId: query.requestId }),
        ),
      ).catch((error: unknown) => {
        throw storeFailure(error);
      }),
    rows: () => rowPages((after) => connection.use((db) => selectOldest(db, after, ROWS_PER_READ))),
  };
}

/**
 * Appends records in one transaction. If the connection ends, appends them on a new connection, unless the transaction was
 * committed: the hash of its last record identifies it.
 */
async function appendOnce(
  connection: Connection,
  records: readonly AuditRecord[],
  seal: Parameters<AuditStore['append']>[1],
): Promise<void> {
  let attempted: ChainHead | undefined;
  const append = async (write: Write): Promise<void> => {
    if (attempted && (await hasLink(write, attempted))) return;
    const links = chained(records, await reserveLinks(write, records.length), seal);
    attempted = links.at(-1);
    await insertLinks(write, links);
  };
  await retry(() => connection.use((db) => db.transaction().execute(append)), isConnectionBroken);
}

/** Returns true if the trail has this record. Waits for transactions that still append. */
async function hasLink(db: Write, { seq, hash }: ChainHead): Promise<boolean> {
  await reserveLinks(db, 0);
  const row = await db.selectFrom('audit').select('hash').where('seq', '=', seq).executeTakeFirst();
  return row?.hash === hash;
}

/**
 * Reads rows from the newest to the oldest until the page is full, the rows end, or the read limit is
 * reached.
 */
async function searchTrail(
  query: AuditQuery,
  read: (before: number | undefined) => Promise<readonly AuditRow[]>,
): Promise<AuditPage> {
  const page = beginPage(query);
  let before = rowIdOf(query.before);
  for (let searched = 0; searched < MAX_ROWS_PER_SEARCH; searched += ROWS_PER_READ) {
    const rows = await read(before);
    for (const { id, entry } of rows) {
      const full = page.offer(entry, String(id));
      if (full) return full;
      before = id;
    }
    if (rows.length < ROWS_PER_READ) return page.end();
    await setImmediate();
  }
  return page.stop(String(before));
}

/** Returns the row id in a cursor; undefined for the first page. Throws `invalid_request`. */
function rowIdOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new Problem(
    'invalid_request',
    '"before" is not a cursor of this audit trail: send the value of "next" from a page.',
  );
}

/** Yields all rows in pages, oldest first. */
async function* rowPages(
  read: (after: number) => Promise<readonly AuditRow[]>,
): AsyncGenerator<readonly AuditRow[]> {
  for (let after = 0, full = true; full;) {
    const rows = await read(after);
    full = rows.length === ROWS_PER_READ;
    after = rows.at(-1)?.id ?? 0;
    if (rows.length > 0) yield rows;
    await setImmediate();
  }
}

/** Returns the latest records, newest first. */
export async function selectAudit(db: Database, limit: number): Promise<readonly AuditRecord[]> {
  const rows = await db
    .selectFrom('audit')
    .select([...AUDIT_FIELDS, ...OPTIONAL_AUDIT_FIELDS])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(recordOf);
}

/** Returns the key and the head of the chain. */
export async function selectChain(db: Database): Promise<ChainHead & { readonly key: string }> {
  const { key, seq, hash } = await db.selectFrom('auditChain').selectAll().executeTakeFirstOrThrow();
  return { key, seq: Number(seq), hash };
}

/**
 * Reserves `count` sequence numbers, and returns the previous head of the chain. Other writers wait until
 * this transaction ends: in PostgreSQL for the row lock, in SQLite for the lock of the database.
 */
export async function reserveLinks(db: Write, count: number): Promise<ChainHead> {
  const { seq, hash } = await db
    .updateTable('auditChain')
    .set(({ eb }) => ({ seq: eb('seq', '+', count) }))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  return { seq: Number(seq) - count, hash };
}

/** Number of rows per statement: each row has at most eighteen values, and SQLite accepts 32,766 per statement. */
const ROWS_PER_STATEMENT = 500;

/** Inserts records with reserved sequence numbers, and stores the hash of the last record as the head. */
export async function insertLinks(db: Write, links: readonly ChainedRecord[]): Promise<void> {
  for (let at = 0; at < links.length; at += ROWS_PER_STATEMENT)
    await db
      .insertInto('audit')
      .values(links.slice(at, at + ROWS_PER_STATEMENT))
      .execute();
  const hash = links.at(-1)?.hash ?? '';
  await db.updateTable('auditChain').set({ hash }).execute();
}

const ROW_COLUMNS = ['id', 'seq', 'prev', 'hash', ...AUDIT_FIELDS, ...OPTIONAL_AUDIT_FIELDS] as const;

/** Filters for one read of rows. */
interface RowFilter {
  readonly limit: number;
  /** Selects only rows with a lower id. */
  readonly before?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Returns rows, newest first. */
async function selectNewest(
  db: Database,
  { limit, before, requestId }: RowFilter,
): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .select(ROW_COLUMNS)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .$if(requestId !== undefined, (query) => query.where('requestId', '=', requestId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}

/** Returns the rows with a higher id than `after`, oldest first. */
async function selectOldest(db: Database, after: number, limit: number): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .select(ROW_COLUMNS)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}

interface StoredRecord extends Omit<AuditRecord, 'name' | 'clientAddress' | 'reason'> {
  readonly name: string | null;
  readonly clientAddress: string | null;
  readonly reason: string | null;
}

interface StoredRow extends StoredRecord {
  readonly id: BigInteger;
  readonly seq: BigInteger | null;
  readonly prev: string | null;
  readonly hash: string | null;
}

function rowOf({ id, seq, prev, hash, ...record }: StoredRow): AuditRow {
  const link = seq === null ? {} : { seq: Number(seq), prev: prev ?? '', hash: hash ?? '' };
  return { id: Number(id), entry: { ...recordOf(record), ...link } };
}

function recordOf({ name, clientAddress, reason, ...record }: StoredRecord): AuditRecord {
  return {
    ...record,
    ...(name !== null && { name }),
    ...(clientAddress !== null && { clientAddress }),
    ...(reason !== null && { reason }),
  };
}
