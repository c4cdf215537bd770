import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { READ_ONLY } from './failure.js';
import type { PoolStatus } from './store.js';
import type { Database, Tables } from './tables.js';

/** Maximum number of connections per process, besides the one that listens for changes of other nodes. */
const CONNECTIONS = 10;

/** Time limits for each step, in milliseconds: a database that hangs must not block its callers. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
const ANSWER_MS = 15_000;

/**
 * Query for a new connection, which returns whether the server is read-only. A database may be configured to
 * acknowledge data that it has not written; the query turns that off. Settings stricter than `on` are not
 * changed.
 */
const GREETING = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end`;

/** An open database, and the status of its connections. */
export interface Pooled {
  readonly database: Database;
  readonly status: () => PoolStatus;
  /** URL of the connected server. */
  readonly url: string;
}

/**
 * Opens a pool of connections to PostgreSQL on which a commit is on the disk when it returns. Uses the first
 * server that answers, and that accepts writes if there are several. Throws the errors of the servers, or an
 * Error that says what to do if the URL is invalid. That Error never repeats the URL, which may contain a
 * password.
 */
export async function openPostgres(url: string): Promise<Pooled> {
  const { urls, mustWrite } = hostsOf(url);
  const { pool, url: chosen } = await firstOf(
    urls.map((one) => ({ url: one, pool: poolOf(one, mustWrite) })),
  );
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  });
  const status = () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
  return { database, status, url: chosen };
}

interface Server {
  readonly url: string;
  readonly pool: pg.Pool;
}

/**
 * Returns the first server that answers. Connects to all servers at once, because one that hangs must not
 * delay a failover.
 */
async function firstOf(servers: readonly Server[]): Promise<Server> {
  const answers = servers.map(async (server) => {
    (await server.pool.connect()).release();
    return server;
  });
  const first = await Promise.any(answers).catch(mostSpecificError);
  for (const server of servers) if (server !== first) void server.pool.end().catch(() => undefined);
  if ('pool' in first) return first;
  throw first;
}

/** Returns the most useful error: one that a running server reports is better than a failed connection. */
function mostSpecificError(failure: AggregateError): Error {
  const errors = failure.errors as readonly Error[];
  const isSaid = (error: Error): boolean => 'code' in error && /^[0-9]/.test(String(error.code));
  return errors.find(isSaid) ?? errors[0] ?? failure;
}

async function checkServerVersion(client: pg.ClientBase, mustWrite: boolean): Promise<void> {
  const { rows } = await client.query<{ readonly isReadOnly: boolean }>(GREETING);
  if (mustWrite && rows[0]?.isReadOnly)
    throw Object.assign(new Error('the server takes no writes'), { code: READ_ONLY });
}

/** Creates a single connection outside of the pool, which is not connected yet. */
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

function poolOf(url: string, mustWrite: boolean): pg.Pool {
  // The pool waits for the promise, which its types do not express.
  const onConnect = (client: pg.ClientBase): unknown => checkServerVersion(client, mustWrite);
  const pool = newPool({ ...connectionTo(url), max: CONNECTIONS, onConnect });
  // An unhandled error of a connection between two statements ends the process. The pool replaces idle
  // connections; one in use fails at its next statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function newPool(config: pg.PoolConfig): pg.Pool {
  try {
    return new pg.Pool(config);
  } catch {
    throw new Error(
      'storage.url is no URL of a PostgreSQL database: postgres://user:password@host:5432/name.',
    );
  }
}

/**
 * Throws the error for a database that cannot be opened, with advice for the operator. Internal errors are
 * thrown unchanged.
 */
export function postgresFault(cause: unknown): never {
  if (!(cause instanceof Error) || !('code' in cause || cause.message.includes('timeout'))) throw cause;
  const code = 'code' in cause ? String(cause.code) : 'timeout';
  const advice = 'Check storage.url, that the server runs, and the rights of its user';
  throw new Error(`The PostgreSQL database cannot be opened (${code}). ${advice}.`, { cause });
}

/** Servers of one database, one of which accepts writes. */
interface PostgresHosts {
  /** A URL for each server, in the order of the original URL. */
  readonly urls: readonly string[];
  /**
   * True if the server must accept writes: there are several servers, or `target_session_attrs` requires it.
   */
  readonly mustWrite: boolean;
}

/**
 * Parses the URL of a database that may name several servers, as `postgres://user@one:5432,two:5432/name`
 * (PostgreSQL's manual, section 34.1.1.3). The driver does not support such URLs. Throws an Error that does
 * not repeat the URL.
 */
export function hostsOf(url: string): PostgresHosts {
  const [, before = '', hosts = '', after = ''] =
    /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const wanted = new URLSearchParams(/\?([^#]*)/.exec(after)?.[1]).get('target_session_attrs');
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary')
    throw new Error('target_session_attrs in storage.url must be "read-write": gatehouse writes.');
  const urls = hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url];
  return { urls, mustWrite: urls.length > 1 || wanted !== null };
}
