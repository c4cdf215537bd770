import { randomUUID } from 'node:crypto';
import { auditStore } from './audit-store.js';
import { selectAudit } from './audit-table.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { isBroken } from './failure.js';
import { formStore } from './form-store.js';
import { migrate } from './migrate.js';
import { PeerListener } from './notify-listener.js';
import { platformStore } from './platform-store.js';
import type { Pooled } from './postgres.js';
import { isDeviceFault, openSqlite } from './sqlite.js';
import type { Store } from './store.js';
import type { Database, Write } from './tables.js';
import type { SessionStore } from '../core/session.js';
import { readerOf, writerOf } from './access.js';
import { notifyPeers } from './notify.js';
import { lockForWrite } from './dialect.js';
import { insertEnded, insertSessions, selectEnded, selectSessions, trimSessions } from './sessions-table.js';
import type { AttemptStore, LockedOutKey } from '../core/login-attempts.js';
import { countAttempt, trimAttempts, uncountAttempt } from './attempts-table.js';
import { Problem } from '../core/problem.js';
import type { Task, TaskStore } from '../core/task.js';
import {
  beginTaskRevision,
  countTasks,
  deleteOldestFinished,
  insertTask,
  selectHeads,
  selectTask,
  updateTask,
} from './tasks-table.js';

/** Maximum number of stored sessions. */
const SESSIONS = 10_000;

/** Maximum number of revoked tokens that a node receives at once; no node keeps more in memory. */
const ENDED = 100_000;

/**
 * Creates the session store of an open database. Notifies other nodes of revoked tokens, with `node` as the
 * sender.
 */
function sessionStore(connection: Connection, node: string): SessionStore {
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
        // Takes a lock, so that a reader who has seen one number never finds a smaller one later.
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

/** Maximum number of counters of a kind. */
const PLACES = 10_000;

/** Number of attempts between two removals of expired counters. */
const TRIM_EVERY = 100;

/** Creates the store for counters of wrong passwords. */
function attemptStore(connection: Connection): AttemptStore {
  const write = writerOf(connection);
  let counts = 0;
  return {
    async count(places, now) {
      const isTrimming = (counts += 1) % TRIM_EVERY === 0;
      try {
        await write(async (db) => {
          if (isTrimming) await trimAttempts(db, now, PLACES);
          for (const place of places) {
            const locked = await countAttempt(db, place, now);
            if (locked) throw new Locked(locked);
          }
        });
        return undefined;
      } catch (error) {
        if (error instanceof Locked) return error.at;
        throw error;
      }
    },
    takeBack: (places) =>
      write(async (db) => {
        for (const place of places) await uncountAttempt(db, place);
      }),
  };
}

/** Rolls back the counters that were already incremented. */
class Locked extends Error {
  readonly at: LockedOutKey;

  constructor(at: LockedOutKey) {
    super('a place is locked');
    this.at = at;
  }
}

/** Pattern of a task's id. Other texts identify no task, and PostgreSQL rejects some of them. */
const ID = /^[0-9a-f]{24}$/;

/** Creates the task store of an open database. */
function taskStore(connection: Connection): TaskStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    open: (task, maxTasks) => write((db) => open(db, task, maxTasks)),
    find: (id) => (ID.test(id) ? read((db) => selectTask(db, id)) : Promise.resolve(undefined)),
    list: (query) =>
      read(async (db) => ({ results: await selectHeads(db, query), total: await countTasks(db, query) })),
    update: (id, change) =>
      ID.test(id) ? write((db) => update(db, id, change)) : Promise.resolve(undefined),
  };
}

async function open(db: Write, task: Task, maxTasks: number): Promise<void> {
  // Without a lock, two concurrent transactions would not count each other's task.
  await lockForWrite(db, 'tasks');
  await insertTask(db, task);
  const excess = (await countTasks(db)) - maxTasks;
  if (excess <= 0) return;
  await deleteOldestFinished(db, excess);
  if ((await countTasks(db)) > maxTasks)
    throw new Problem('too_many_tasks', `There would be more than ${maxTasks} tasks that are open.`);
}

async function update(db: Write, id: string, change: (task: Task) => Task): Promise<Task | undefined> {
  const previous = await beginTaskRevision(db, id);
  if (!previous) return undefined;
  const next = { ...change(previous), revision: previous.revision + 1 };
  await updateTask(db, next);
  return next;
}

/**
 * Opens the store at `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name`,
 * and migrates it to the current schema. The last form may list several hosts, separated by commas. Throws an
 * Error that says what to do and never repeats the URL, which may contain a password.
 */
export async function openStore(url: string): Promise<Store> {
  const node = randomUUID();
  const way = await wayTo(url, node);
  const connection = await Connection.open(way);
  return {
    audit: auditStore(connection),
    recentAudit: (limit) => connection.use((db) => selectAudit(db, limit)),
    forms: formStore(connection),
    tasks: taskStore(connection),
    platform: platformStore(connection, node),
    sessions: sessionStore(connection, node),
    attempts: attemptStore(connection),
    pool: way.pool,
    subscribeClusterChanges: way.subscribeClusterChanges,
    close: () => connection.close(),
  };
}

type StoreFactory = ConnectionOptions & Pick<Store, 'pool' | 'subscribeClusterChanges'>;

async function wayTo(url: string, node: string): Promise<StoreFactory> {
  const [, scheme, path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite')
    return {
      open: async () => upToDate(await openSqlite(path)),
      isFatal: isDeviceFault,
      pool: () => undefined,
      subscribeClusterChanges: undefined,
    };
  if (scheme === 'postgres' || scheme === 'postgresql') return wayToPostgres(url, node);
  const found = scheme === undefined ? 'it has none' : `not "${scheme}"`;
  throw new Error(
    `storage.url must have the scheme "sqlite" or "postgres", ${found}: sqlite:/absolute/path or postgres://host/name.`,
  );
}

/**
 * Returns the options for PostgreSQL, where each connection may reach another server. Only the first one
 * migrates the schema: a newer version may have changed it since.
 */
async function wayToPostgres(url: string, node: string): Promise<StoreFactory> {
  // Loaded here, because most servers use SQLite.
  const { openPostgres, ownClient, postgresFault } = await import('./postgres.js');
  const openFirst = async (): Promise<Pooled> => {
    const opened = await openPostgres(url);
    await upToDate(opened.database);
    return opened;
  };
  let latest: Pooled | undefined;
  return {
    async open() {
      latest = latest ? await openPostgres(url) : await openFirst().catch(postgresFault);
      return latest.database;
    },
    isFatal: isBroken,
    pool: () => latest?.status(),
    subscribeClusterChanges: (input) =>
      new PeerListener({ ...input, node, client: () => ownClient(latest?.url ?? url) }),
  };
}

async function upToDate(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
