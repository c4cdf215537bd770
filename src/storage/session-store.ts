import type { Selectable } from 'kysely';
import type {
  BrowserSessionFilter,
  BrowserSessionStore,
  StoredBrowserSession,
} from '../core/browser-session.js';
import type { RevokedToken, Session, SessionStore, StoredSession } from '../core/session.js';
import type { Connection } from './connection.js';
import { notifyPeers } from './notifications.js';
import type { Database, Write, Tables } from './tables.js';
import { lockForWrite, readerOf, writerOf } from './transactions.js';

/** Maximum number of stored sessions. */
const MAX_SESSIONS = 10_000;

/** Maximum number of revoked tokens on a page. */
const REVOKED_TOKENS_PER_PAGE = 10_000;

/**
 * Creates the session store of an open database. Notifies the other nodes of revoked tokens, with the id
 * `node` as the sender.
 */
export function sessionStore(connection: Connection, node: string): SessionStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    keep: (sessions, now) =>
      write(async (db) => {
        await insertSessions(db, sessions);
        await trimSessions(db, now, MAX_SESSIONS);
      }),
    list: (now) => read((db) => selectSessions(db, now)),
    end: (tokens, now) =>
      write(async (db) => {
        // Without the lock, a transaction could commit a smaller sequence number after a reader has seen a
        // larger one. The reader would then miss that token.
        await lockForWrite(db, 'endedTokens');
        await insertRevokedTokens(db, tokens, now);
        await notifyPeers(db, node);
      }),
    endedBehind: (mark) =>
      read(async (db) => {
        const rows = await selectRevokedTokens(db, mark, REVOKED_TOKENS_PER_PAGE + 1);
        const page = rows.slice(0, REVOKED_TOKENS_PER_PAGE);
        const tokens = page.map(({ digest, until }) => ({ digest, until }));
        return { tokens, mark: page.at(-1)?.seq ?? mark, hasMore: rows.length > page.length };
      }),
  };
}

/** Number of rows per statement: each row has seven values, and SQLite accepts 32,766 per statement. */
const ROWS_PER_STATEMENT = 1_000;

/** Inserts sessions; does not change existing sessions. */
async function insertSessions(db: Write, sessions: readonly StoredSession[]): Promise<void> {
  const rows = sessions.map(({ user: account, token: shown, ...rest }) => ({ ...rest, account, shown }));
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    await db
      .insertInto('sessions')
      .values(rows.slice(at, at + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Removes expired sessions. Keeps at most `maxSessions` of the others, the newest. */
async function trimSessions(db: Write, now: number, maxSessions: number): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute();
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .orderBy('issuedAt', 'desc')
        .orderBy('id')
        // SQLite accepts no offset without a limit.
        .limit(ROWS_PER_STATEMENT * ROWS_PER_STATEMENT)
        .offset(maxSessions),
    )
    .execute();
}

/** Returns the sessions that have neither expired nor been revoked, oldest first. */
async function selectSessions(db: Database, now: number): Promise<readonly Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'account', 'kind', 'shown', 'issuedAt', 'expiresAt'])
    .where('expiresAt', '>', now)
    .where('digest', 'not in', (query) => query.selectFrom('endedTokens').select('digest'))
    .orderBy('issuedAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id, account: user, kind, shown: token, issuedAt, expiresAt }) => ({
    id,
    user,
    kind,
    token,
    issuedAt: Number(issuedAt),
    expiresAt: Number(expiresAt),
  }));
}

/** Inserts revoked tokens, and removes revoked tokens that have expired. */
async function insertRevokedTokens(db: Write, tokens: readonly RevokedToken[], now: number): Promise<void> {
  await db.deleteFrom('endedTokens').where('until', '<=', now).execute();
  for (let at = 0; at < tokens.length; at += ROWS_PER_STATEMENT)
    await db
      .insertInto('endedTokens')
      .values(tokens.slice(at, at + ROWS_PER_STATEMENT).map(({ digest, until }) => ({ digest, until })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Returns the tokens with a higher sequence number than `after`, oldest first. */
async function selectRevokedTokens(
  db: Database,
  after: number,
  limit: number,
): Promise<readonly (RevokedToken & { readonly seq: number })[]> {
  const rows = await db
    .selectFrom('endedTokens')
    .select(['seq', 'digest', 'until'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ seq, digest, until }) => ({ seq: Number(seq), digest, until: Number(until) }));
}

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
