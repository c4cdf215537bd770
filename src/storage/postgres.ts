import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { READ_ONLY } from './failure.js';
import type { PoolStatus } from './store.js';
import type { Database, Tables } from './tables.js';

/** Connections of one process, beside the one that hears of other nodes. */
const CONNECTIONS = 10;

/** How long each step may take, in milliseconds: a database that hangs must not take its callers along. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
const ANSWER_MS = 15_000;

/**
 * Told by a new connection: whether it can write. A database may be set up to acknowledge what it has not written; stricter
 * settings than `on` stay as they are.
 */
const GREETING = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end`;

/** An open database, and how its connections stand. */
export interface Pooled {
  readonly database: Database;
  readonly status: () => PoolStatus;
  /** URL of the server that it is on. */
  readonly url: string;
}

/**
 * Opens a pool of connections to PostgreSQL on which a commit is on the disk when it returns: to the first server that
 * answers, and takes writes where there are several. Throws what they throw, an Error that says what to do when the URL is
 * none, and never repeats it, because it may hold a password.
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

/** All are asked at once: one that hangs must not keep us from the one that took over. */
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

/** What a server says that is there tells more than that another one is not. */
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

function poolOf(url: string, mustWrite: boolean): pg.Pool {
  // The pool waits for the promise, which its types do not say.
  const onConnect = (client: pg.ClientBase): unknown => checkServerVersion(client, mustWrite);
  const pool = newPool({ ...connectionTo(url), max: CONNECTIONS, onConnect });
  // What happens to a connection between two statements ends the process when nobody hears of it. The pool replaces
  // idle connections; one in use fails at its next statement.
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

/** Throws what an operator is told when the database cannot be opened; faults of our own stay as they are. */
export function postgresFault(cause: unknown): never {
  if (!(cause instanceof Error) || !('code' in cause || cause.message.includes('timeout'))) throw cause;
  const code = 'code' in cause ? String(cause.code) : 'timeout';
  const advice = 'Check storage.url, that the server runs, and the rights of its user';
  throw new Error(`The PostgreSQL database cannot be opened (${code}). ${advice}.`, { cause });
}

/** The servers of one database, of which one takes writes. */
export interface PostgresHosts {
  /** A URL for each server, in the order in which they were written. */
  readonly urls: readonly string[];
  /** True when only a server that takes writes will do: there are several, or `target_session_attrs` says so. */
  readonly mustWrite: boolean;
}

/**
 * Takes the URL of a database apart that may name several servers, as `postgres://user@one:5432,two:5432/name` (PostgreSQL's
 * manual, section 34.1.1.3), which its driver does not read. Throws an Error that does not repeat the URL.
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
