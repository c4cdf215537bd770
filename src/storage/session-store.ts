import type { SessionStore } from '../core/session.js';
import { readerOf, writerOf } from './access.js';
import { notifyPeers } from './notify.js';
import type { Connection } from './connection.js';
import { lockForWrite } from './dialect.js';
import { insertEnded, insertSessions, selectEnded, selectSessions, trimSessions } from './sessions-table.js';

/** Most sessions that are kept. */
const SESSIONS = 10_000;

/** Most ended tokens that a node is told at once; more are in nobody's memory. */
const ENDED = 100_000;

/** What an open database knows of tokens; other nodes on it are told of those that end, and that it comes from `node`. */
export function sessionStore(connection: Connection, node: string): SessionStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    keep: (sessions, now) =>
      write(async (db) => {
        await insertSessions(db, sessions);
        await trimSessions(db, now, SESSIONS);
      }),
    list: (now) => read((db) => selectSessions(db, now)),
    end: (tokens, now) =>
      write(async (db) => {
        // In turn, so that nobody who has seen one number finds a smaller one later.
        await lockForWrite(db, 'endedTokens');
        await insertEnded(db, tokens, now);
        await notifyPeers(db, node);
      }),
    endedBehind: (mark) =>
      read(async (db) => {
        const newest = await selectEnded(db, mark, ENDED);
        const tokens = newest.map(({ digest, until }) => ({ digest, until })).reverse();
        return { tokens, mark: newest[0]?.seq ?? mark };
      }),
  };
}
