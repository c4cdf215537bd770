import type { Selectable } from 'kysely';
import type {
  BrowserSessionFilter,
  BrowserSessionStore,
  StoredBrowserSession,
} from '../core/browser-session.js';
import type { Connection } from './connection.js';
import type { Database, Tables, Write } from './tables.js';
import { readerOf, writerOf } from './transactions.js';

export function browserSessionStore(connection: Connection): BrowserSessionStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    create: (session, now) =>
      write(async (db) => {
        await db.deleteFrom('browserSessions').where('endsAt', '<=', now).execute();
        await db
          .insertInto('browserSessions')
          .values({ ...session, reservedUntil: 0 })
          .execute();
      }),
    find: (id) => read((db) => selectSession(db, id)),
    reserve: ({ id, revision }, now, until) =>
      write(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('browserSessions')
          .set({ reservedUntil: until })
          .where('id', '=', id)
          .where('revision', '=', revision)
          .where('reservedUntil', '<=', now)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
    release: ({ id, revision }) =>
      write(async (db) => {
        await db
          .updateTable('browserSessions')
          .set({ reservedUntil: 0 })
          .where('id', '=', id)
          .where('revision', '=', revision)
          .execute();
      }),
    replace: (session) => write((db) => replaceSession(db, session)),
    remove: (id) =>
      write(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('browserSessions')
          .where('id', '=', id)
          .executeTakeFirst();
        return numDeletedRows === 1n;
      }),
    removeAll: (filter) => write((db) => removeSessions(db, filter)),
  };
}

/** Replaces the previous revision of a session. */
async function replaceSession(db: Write, session: StoredBrowserSession): Promise<boolean> {
  const { id, sealed, tokenDigest, tokenUntil, activeAt, revision } = session;
  const { numUpdatedRows } = await db
    .updateTable('browserSessions')
    .set({ sealed, tokenDigest, tokenUntil, activeAt, revision, reservedUntil: 0 })
    .where('id', '=', id)
    .where('revision', '=', revision - 1)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function removeSessions(
  db: Write,
  filter: BrowserSessionFilter,
): Promise<readonly StoredBrowserSession[]> {
  const [column, value] = columnOf(filter);
  const rows = await db
    .deleteFrom('browserSessions')
    .where('issuer', '=', filter.issuer)
    .where(column, '=', value)
    .returningAll()
    .execute();
  return rows.map(toSession);
}

function columnOf(filter: BrowserSessionFilter): ['sid' | 'subject', string] {
  return 'sid' in filter ? ['sid', filter.sid] : ['subject', filter.subject];
}

async function selectSession(db: Database, id: string): Promise<StoredBrowserSession | undefined> {
  const row = await db.selectFrom('browserSessions').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toSession(row);
}

function toSession(row: Selectable<Tables['browserSessions']>): StoredBrowserSession {
  const { id, issuer, subject, sid, sealed, tokenDigest, revision } = row;
  return {
    id,
    issuer,
    subject,
    sid,
    sealed,
    tokenDigest,
    tokenUntil: Number(row.tokenUntil),
    startedAt: Number(row.startedAt),
    activeAt: Number(row.activeAt),
    endsAt: Number(row.endsAt),
    revision,
  };
}
