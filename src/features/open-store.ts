import { randomUUID } from 'node:crypto';
import type { SiblingStore, SubscribeClusterChanges } from '../core/cluster-events.js';
import { attemptStore } from '../storage/attempt-store.js';
import { Connection, type ConnectionOptions } from '../storage/connection.js';
import { isConnectionBroken } from '../storage/failure.js';
import { migrate } from '../storage/migrations.js';
import {
  countListeners,
  notifyNodes,
  PeerListener,
  type PeerListenerOptions,
} from '../storage/notifications.js';
import { createPeerQuestions } from '../storage/peer-questions.js';
import { platformStore } from '../storage/platform-store.js';
import type { PooledDatabase } from '../storage/postgres.js';
import { sessionStore, browserSessionStore } from '../storage/session-store.js';
import { isDeviceFault, openSqlite, startErrorOf } from '../storage/sqlite.js';
import type { Database } from '../storage/tables.js';
import { readerOf, requireSpace, writerOf } from '../storage/transactions.js';
import { auditStore, selectAudit } from './audit/store.js';
import { formStore } from './forms/store.js';
import { deprecatedCallStore } from './legacy/deprecated-call-history.js';
import { limitCountStore } from './limits/store.js';
import { notificationStore } from './notifications/store.js';
import type { Store } from './store.js';
import { taskStore } from './tasks/store.js';
import { trafficStore } from './traffic/store.js';
import { yangModelStore } from './yang-forms/store.js';

/**
 * Opens the store at `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name`,
 * and migrates it to the current schema. The last form may list several hosts, separated by commas. Throws an
 * Error with advice for the operator. The Error never repeats the URL, which may contain a password.
 */
export async function openStore(url: string, siblings?: SiblingStore): Promise<Store> {
  const node = randomUUID();
  const isSqlite = url.startsWith('sqlite:');
  const questions = createPeerQuestions({
    node,
    ...(isSqlite && siblings
      ? { send: siblings.send, countListeners: siblings.count }
      : {
          send: (payloads) => writerOf(connection)((db) => notifyNodes(db, payloads)),
          countListeners: () => readerOf(connection)(countListeners),
        }),
  });
  const backend = await backendOf(url, node, {
    onMessage: (payload) => {
      questions.receive(payload);
    },
    onListening: () => {
      questions.noteMissed();
    },
    siblings,
  });
  const connection = await Connection.open(backend);
  return {
    audit: auditStore(connection),
    recentAudit: (limit) => connection.use((db) => selectAudit(db, limit)),
    requireSpace: () => requireSpace(connection),
    forms: formStore(connection),
    tasks: taskStore(connection),
    platform: platformStore(connection, node),
    sessions: sessionStore(connection, node),
    browserSessions: browserSessionStore(connection),
    attempts: attemptStore(connection),
    traffic: trafficStore(connection),
    deprecatedCalls: deprecatedCallStore(connection),
    notifications: notificationStore(connection, node),
    limitCounts: backend.subscribeClusterChanges && limitCountStore(connection, node),
    yangModels: yangModelStore(connection),
    pool: backend.pool,
    subscribeClusterChanges: backend.subscribeClusterChanges,
    peers: backend.subscribeClusterChanges && questions,
    close: () => connection.close(),
  };
}

/** Events of the notifications of other nodes. */
type ListenerEvents = Required<Pick<PeerListenerOptions, 'onMessage' | 'onListening'>> & {
  /** The processes that share a SQLite file; absent if this process uses it alone. */
  readonly siblings: SiblingStore | undefined;
};

/** Functions of a store that depend on its database system. */
type StoreBackend = ConnectionOptions & Pick<Store, 'pool' | 'subscribeClusterChanges'>;

async function backendOf(url: string, node: string, listening: ListenerEvents): Promise<StoreBackend> {
  const [, scheme, path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite')
    return {
      open: async () =>
        migrated(await openSqlite(path, listening.siblings)).catch((error: unknown) => {
          throw startErrorOf(path, error);
        }),
      isFatal: isDeviceFault,
      pool: () => undefined,
      subscribeClusterChanges: listening.siblings && hearSiblings(listening.siblings, listening.onMessage),
    };
  if (scheme === 'postgres' || scheme === 'postgresql') return postgresBackend(url, node, listening);
  const found = scheme === undefined ? 'but has none' : `not "${scheme}"`;
  throw new Error(
    `storage.url must have the scheme "sqlite" or "postgres", ${found}: sqlite:/absolute/path or postgres://host/name.`,
  );
}

/** Returns the subscription of a process that shares its file with others, which tell it their changes before they answer. */
function hearSiblings(siblings: SiblingStore, onMessage: (text: string) => void): SubscribeClusterChanges {
  return () => {
    siblings.onReceive(onMessage);
    return { close: () => Promise.resolve() };
  };
}

/**
 * Returns the functions for PostgreSQL, where each connection may reach another server. Only the first
 * connection migrates the schema, because a newer version of gatehouse may migrate it later.
 */
async function postgresBackend(url: string, node: string, listening: ListenerEvents): Promise<StoreBackend> {
  // The driver is loaded only for PostgreSQL, because most installations use SQLite.
  const { openPostgres, createClient, throwPostgresError } = await import('../storage/postgres.js');
  const openFirst = async (): Promise<PooledDatabase> => {
    const opened = await openPostgres(url);
    await migrated(opened.database);
    return opened;
  };
  let latest: PooledDatabase | undefined;
  return {
    async open() {
      latest = latest ? await openPostgres(url) : await openFirst().catch(throwPostgresError);
      return latest.database;
    },
    isFatal: isConnectionBroken,
    pool: () => latest?.status(),
    subscribeClusterChanges: (input) =>
      new PeerListener({ ...input, ...listening, node, client: () => createClient(latest?.url ?? url) }),
  };
}

/** Migrates a database to the current schema; closes the database if that fails. */
async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
