import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { namingHop } from '../core/transport-failure.js';
import { errorMessage } from '../lib/error-message.js';
import { READ_ONLY } from './failure.js';
import { LISTENER_NAME } from './notifications.js';
import type { Database, Tables } from './tables.js';

/** Number of connections to the database, by state. */
export interface PoolStatus {
  readonly open: number;
  /** Connections that no operation uses. */
  readonly idle: number;
  readonly waiting: number;
}

/** Maximum number of connections in the pool of a process. */
const MAX_CONNECTIONS = 10;

/** Time limits in milliseconds: a database that hangs must not block its callers. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 15_000;

/**
 * First query of a new connection. Returns whether the server is read-only. If `synchronous_commit` is off,
 * turns it on, because a commit must be on the disk when it returns. Does not change stricter values.
 */
const SESSION_QUERY = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end`;

export interface PooledDatabase {
  readonly database: Database;
  readonly status: () => PoolStatus;
  readonly url: string;
}

/**
 * Opens a pool of connections to PostgreSQL. A commit is on the disk when it returns. Uses the first server
 * that answers; if the URL names several servers, the first that also accepts writes. Throws the error of a
 * server. Throws an Error with advice if the URL is invalid; it never repeats the URL, which may contain a
 * password.
 */
export async function openPostgres(url: string): Promise<PooledDatabase> {
  const { urls, mustWrite } = serversOf(url);
  const { pool, url: connectedUrl } = await firstServerOf(
    urls.map((serverUrl) => ({ url: serverUrl, pool: poolOf(serverUrl, mustWrite) })),
  );
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  });
  const status = () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
  return { database, status, url: connectedUrl };
}

interface Server {
  readonly url: string;
  readonly pool: pg.Pool;
}

/**
 * Returns the first server that answers. Connects to all servers at the same time, because a server that
 * hangs must not delay a failover.
 */
async function firstServerOf(servers: readonly Server[]): Promise<Server> {
  const answers = servers.map(async (server) => {
    (await server.pool.connect()).release();
    return server;
  });
  const first = await Promise.any(answers).catch(mostSpecificError);
  for (const server of servers) if (server !== first) void server.pool.end().catch(() => undefined);
  if ('pool' in first) return first;
  throw first;
}

/** Returns an error that a running server reported; otherwise the error of the first failed connection. */
function mostSpecificError(failure: AggregateError): Error {
  const errors = failure.errors as readonly Error[];
  const isServerError = (error: Error): boolean => 'code' in error && /^[0-9]/.test(String(error.code));
  return errors.find(isServerError) ?? errors[0] ?? failure;
}

/** Runs the first query of a connection. Throws if the server must accept writes and does not. */
async function prepareSession(client: pg.ClientBase, mustWrite: boolean): Promise<void> {
  const { rows } = await client.query<{ readonly isReadOnly: boolean }>(SESSION_QUERY);
  if (mustWrite && rows[0]?.isReadOnly)
    throw Object.assign(new Error('the server accepts no writes'), { code: READ_ONLY });
}

/** Creates an unconnected client outside of the pool. */
export function createClient(url: string): pg.Client {
  return new pg.Client({ ...clientConfigOf(url), application_name: LISTENER_NAME });
}

function clientConfigOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'gatehouse',
  };
}

function poolOf(url: string, mustWrite: boolean): pg.Pool {
  // The pool waits for the returned promise, although its types do not declare that.
  const onConnect = (client: pg.ClientBase): unknown => prepareSession(client, mustWrite);
  const pool = newPool({ ...clientConfigOf(url), max: MAX_CONNECTIONS, onConnect });
  // Without these listeners, an error of a connection between two statements would end the process. The pool
  // replaces an idle connection; a connection in use fails at its next statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function newPool(config: pg.PoolConfig): pg.Pool {
  try {
    return new pg.Pool(config);
  } catch {
    throw new Error(
      'storage.url is not a valid PostgreSQL URL; use postgres://user:password@host:5432/name.',
    );
  }
}

/** First characters of the codes of a refused login (manual of PostgreSQL, appendix A). */
const LOGIN_CLASS = '28';

/**
 * Throws an Error with advice for the operator if the database cannot be opened. Throws internal errors
 * unchanged.
 */
export function throwPostgresError(cause: unknown): never {
  if (!(cause instanceof Error) || !('code' in cause || cause.message.includes('timeout'))) throw cause;
  const code = 'code' in cause ? String(cause.code) : 'timeout';
  const advice = 'Check storage.url, that the server is running, and the permissions of the database user';
  const named = code.startsWith(LOGIN_CLASS)
    ? new Error(`its server refused the login (${code})`)
    : namingHop(cause, 'its server');
  const reason = named === cause ? ` (${code})` : `: ${errorMessage(named)}`;
  throw new Error(`The PostgreSQL database cannot be opened${reason}. ${advice}.`, { cause });
}

/** Servers of one database; at most one of them accepts writes. */
interface PostgresServers {
  /** One URL for each server, in the order of the original URL. */
  readonly urls: readonly string[];
  /**
   * True if the server must accept writes: there are several servers, or `target_session_attrs` requires it.
   */
  readonly mustWrite: boolean;
}

/**
 * Splits a database URL that may name several servers, such as `postgres://user@one:5432,two:5432/name`
 * (PostgreSQL manual, section 34.1.1.3). The driver does not support such URLs. Throws an Error that does not
 * repeat the URL.
 */
export function serversOf(url: string): PostgresServers {
  const [, before = '', hosts = '', after = ''] =
    /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const wanted = new URLSearchParams(/\?([^#]*)/.exec(after)?.[1]).get('target_session_attrs');
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary')
    throw new Error(
      'target_session_attrs in storage.url must be "read-write", because gatehouse writes to the database.',
    );
  const urls = hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url];
  return { urls, mustWrite: urls.length > 1 || wanted !== null };
}
