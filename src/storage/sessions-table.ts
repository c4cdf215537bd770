import type { RevokedToken, StoredSession, Session } from '../core/session.js';
import type { Database, Write } from './tables.js';

/** Number of rows per statement: each row has seven values, and SQLite accepts 32,766. */
const ROWS = 1_000;

/** Inserts sessions; existing sessions are not changed. */
export async function insertSessions(db: Write, sessions: readonly StoredSession[]): Promise<void> {
  const rows = sessions.map(({ user: account, token: shown, ...rest }) => ({ ...rest, account, shown }));
  for (let at = 0; at < rows.length; at += ROWS)
    await db
      .insertInto('sessions')
      .values(rows.slice(at, at + ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Removes expired sessions, and the oldest sessions beyond `most`. */
export async function trimSessions(db: Write, now: number, most: number): Promise<void> {
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
        .limit(ROWS * ROWS)
        .offset(most),
    )
    .execute();
}

/** Returns the sessions that have neither expired nor been ended, oldest first. */
export async function selectSessions(db: Database, now: number): Promise<readonly Session[]> {
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

/** Inserts revoked tokens, and removes those that have expired. */
export async function insertEnded(db: Write, tokens: readonly RevokedToken[], now: number): Promise<void> {
  await db.deleteFrom('endedTokens').where('until', '<=', now).execute();
  for (let at = 0; at < tokens.length; at += ROWS)
    await db
      .insertInto('endedTokens')
      .values(tokens.slice(at, at + ROWS).map(({ digest, until }) => ({ digest, until })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Returns tokens revoked after a sequence number, newest first. */
export async function selectEnded(
  db: Database,
  behind: number,
  limit: number,
): Promise<readonly (RevokedToken & { readonly seq: number })[]> {
  const rows = await db
    .selectFrom('endedTokens')
    .select(['seq', 'digest', 'until'])
    .where('seq', '>', behind)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ seq, digest, until }) => ({ seq: Number(seq), digest, until: Number(until) }));
}
