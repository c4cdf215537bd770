import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { PoolStatus } from './store.js';
import type { Database, Tables } from './tables.js';

/** Connections of one process, beside the one that hears of other nodes. */
const CONNECTIONS = 10;

/** How long each step may take, in milliseconds: a database that hangs must not take its callers along. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
const ANSWER_MS = 15_000;

/** A database may be set up to acknowledge what it has not written; stricter settings than `on` stay as they are. */
const COMMIT_ON_DISK = CompiledQuery.raw(
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
);

/** An open database, and how its connections stand. */
export interface Pooled {
  readonly database: Database;
  readonly status: () => PoolStatus;
}

/**
 * Opens a pool of connections to PostgreSQL on which a commit is on the disk when it returns. The first use connects.
 * Throws an Error that says what to do, and never repeats the URL, which may hold a password.
 */
export function openPostgres(url: string): Pooled {
  const pool = poolOf(url);
  // What happens to a connection between two statements ends the process when nobody hears of it. The pool replaces
  // idle connections; one in use fails at its next statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool,
      onCreateConnection: async (connection) => {
        await connection.executeQuery(COMMIT_ON_DISK);
      },
    }),
    plugins: [new CamelCasePlugin()],
  });
  const status = () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
  return { database, status };
}

/** A single connection beside the pool, which is not connected yet. */
export function ownClient(url: string): pg.Client {
  return new pg.Client({ ...connectionTo(url), application_name: 'gatehouse-listener' });
}

function connectionTo(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'gatehouse',
  };
}

function poolOf(url: string): pg.Pool {
  try {
    return new pg.Pool({ ...connectionTo(url), max: CONNECTIONS });
  } catch {
    throw new Error(
      'storage.url is no URL of a PostgreSQL database: postgres://user:password@host:5432/name.',
    );
  }
}

/** Throws what an operator is told when the database cannot be opened; faults of our own stay as they are. */
export function postgresFault(cause: unknown): never {
  if (!(cause instanceof Error) || !('code' in cause || cause.message.includes('timeout'))) throw cause;
  const code = 'code' in cause ? String(cause.code) : 'timeout';
  const advice = 'Check storage.url, that the server runs, and the rights of its user';
  throw new Error(`The PostgreSQL database cannot be opened (${code}). ${advice}.`, { cause });
}
