import { isAbsolute } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  CamelCasePlugin,
  Kysely,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SiblingStore } from '../core/cluster-events.js';
import { Semaphore } from '../lib/semaphore.js';
import { DRIVER_MISSING_CODE } from './sqlite-driver.js';
import { OPEN_MODE_CODE } from './sqlite-file.js';
import type { SqliteReply, SqliteRequest, SqliteResult } from './sqlite-worker.js';
import type { Database, Tables } from './tables.js';

/** A request whose reply has not arrived. */
interface PendingRequest {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** The worker thread of an open SQLite database. The thread answers one request after the other. */
class SqliteThread {
  readonly #worker: Worker;
  /** Requests in the order in which the thread answers them. */
  readonly #pending: PendingRequest[] = [];
  /** Error for further requests; undefined while the thread accepts requests. */
  #endError: Error | undefined;

  private constructor(path: string) {
    this.#worker = new Worker(new URL('./sqlite-worker.js', import.meta.url), { workerData: path, env: {} });
    this.#worker.on('message', (reply: SqliteReply) => {
      this.#settleFirst(reply);
    });
    this.#worker.on('error', (error) => {
      this.#end(error.message);
    });
    this.#worker.on('exit', () => {
      this.#end('it exited');
    });
  }

  /**
   * Opens the database at a path, or `:memory:`. Rejects with an Error that has the code of the driver or of
   * the file system.
   */
  static async open(path: string): Promise<SqliteThread> {
    const thread = new SqliteThread(path);
    await thread.#nextReply();
    return thread;
  }

  /**
   * Sends a request. Rejects with an Error that has the code of the driver, or `SQLITE_IOERR_THREAD` if the
   * thread has ended.
   */
  request(request: SqliteRequest): Promise<SqliteResult> {
    if (this.#endError) return Promise.reject(this.#endError);
    this.#worker.postMessage(request);
    return this.#nextReply();
  }

  /** Closes the database after all earlier requests, and ends the thread. */
  async close(): Promise<void> {
    if (this.#endError) return;
    const closed = this.request({ kind: 'close' });
    this.#endError = threadError('it was closed');
    try {
      await closed;
    } finally {
      await this.#worker.terminate();
    }
  }

  #nextReply(): Promise<SqliteResult> {
    // Only a pending request keeps the process alive.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
    });
  }

  #settleFirst(reply: SqliteReply): void {
    const first = this.#pending.shift();
    if (this.#pending.length === 0) this.#worker.unref();
    if ('done' in reply) first?.resolve(reply.done);
    else first?.reject(withCode(reply.fault.message, reply.fault.code));
  }

  #end(reason: string): void {
    this.#endError ??= threadError(reason);
    for (const { reject } of this.#pending.splice(0)) reject(this.#endError);
  }
}

function threadError(reason: string): Error {
  return withCode(`The database thread has ended: ${reason}.`, 'SQLITE_IOERR_THREAD');
}

function withCode(message: string, code: string | undefined, cause?: unknown): Error {
  return Object.assign(
    new Error(message, cause === undefined ? undefined : { cause }),
    code !== undefined && { code },
  );
}

/** Creates the Kysely dialect of a SQLite database in a separate thread. */
function sqliteDialect(thread: SqliteThread, turns: WriteTurns | undefined): Dialect {
  return {
    createDriver: () => new SqliteDriver(thread, turns),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** The turns of the processes that write to the same file. */
type WriteTurns = Pick<SiblingStore, 'takeTurn' | 'endTurn'>;

/** Kysely driver with one connection, which only one caller may use at a time. */
class SqliteDriver implements Driver {
  readonly #thread: SqliteThread;
  readonly #connection: DatabaseConnection;
  readonly #users = new Semaphore(1);
  readonly #turns: WriteTurns | undefined;

  constructor(thread: SqliteThread, turns: WriteTurns | undefined) {
    this.#thread = thread;
    this.#turns = turns;
    this.#connection = connectionOf(thread);
  }

  async init(): Promise<void> {
    // The thread has already opened the database.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#users.acquire();
    return this.#connection;
  }

  releaseConnection(): Promise<void> {
    this.#users.release();
    return Promise.resolve();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#turns?.takeTurn();
    try {
      // A transaction that took the lock at its first write would fail if another process wrote after its first read.
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    } catch (error) {
      this.#turns?.endTurn();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    // If it fails, a rollback follows.
    await connection.executeQuery(CompiledQuery.raw('commit'));
    this.#turns?.endTurn();
  }

  async rollbackTransaction(): Promise<void> {
    try {
      await this.#thread.request({ kind: 'rollback' });
    } finally {
      this.#turns?.endTurn();
    }
  }

  destroy(): Promise<void> {
    return this.#thread.close();
  }
}

function connectionOf(thread: SqliteThread): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await thread.request({ kind: 'query', sql, parameters });
      return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: changes }) };
    },
    streamQuery: () => {
      throw new TypeError('SQLite results cannot be streamed; read lists in pages.');
    },
  };
}

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:` in a separate thread. A
 * commit is on the disk when it resolves. `turns`: other processes of the server write to the same file. Throws an Error with
 * advice for the operator.
 */
export async function openSqlite(path: string, turns?: WriteTurns): Promise<Database> {
  if (path !== ':memory:' && !isAbsolute(path)) {
    // The message does not repeat the path, because the path may come from Vault.
    throw new Error('storage.url must be sqlite:/absolute/path or sqlite::memory:.');
  }
  try {
    const thread = await SqliteThread.open(path);
    return new Kysely<Tables>({ dialect: sqliteDialect(thread, turns), plugins: [new CamelCasePlugin()] });
  } catch (cause) {
    // The thread has named the driver and the remedy.
    if (errorCodeOf(cause) === DRIVER_MISSING_CODE) throw cause;
    throw new Error(openErrorMessage(path, cause), { cause });
  }
}

/**
 * Returns true if the storage device or the database thread failed. The connection must not be used again:
 * after a failed sync, Linux reports success for the next sync even if data was lost.
 */
export function isDeviceFault(error: unknown): boolean {
  return errorCodeOf(error).startsWith('SQLITE_IOERR');
}

const ADVICE_PERMISSIONS = 'Allow the user of this process to read and write the file and its folder.';
const ADVICE_PATH = 'A parent of the path is a file, not a folder: correct storage.url.';
const ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  [OPEN_MODE_CODE]: 'Every user of this machine may read or write the file. Run: chmod o= on the file.',
  EISDIR: 'The path is a folder: set storage.url to a file in it.',
  EACCES: ADVICE_PERMISSIONS,
  EPERM: ADVICE_PERMISSIONS,
  EROFS: 'The file system is read-only: set storage.url to a file on another file system.',
  ENOSPC: 'The disk is full: free disk space.',
  ENOTDIR: ADVICE_PATH,
  EEXIST: ADVICE_PATH,
  SQLITE_NOTADB:
    'The file is not a SQLite database: set storage.url to another file, or move this file away.',
  SQLITE_CORRUPT: 'The database is damaged: restore a backup.',
  SQLITE_READONLY: ADVICE_PERMISSIONS,
  SQLITE_CANTOPEN: ADVICE_PERMISSIONS,
  SQLITE_BUSY: 'Another process has locked the database: stop that process.',
  SQLITE_FULL: 'The disk is full: free disk space.',
};

function openErrorMessage(path: string, cause: unknown): string {
  const code = errorCodeOf(cause);
  return `The database ${path} cannot be opened (${code}). ${ADVICE_BY_CODE[code] ?? 'Check storage.url and the disk.'}`;
}

/**
 * Returns the error of the first statements on an open database, with its path and the next step for the operator. The code stays.
 * Returns an error without a next step unchanged.
 */
export function startErrorOf(path: string, cause: unknown): unknown {
  const code = errorCodeOf(cause);
  const advice = ADVICE_BY_CODE[code];
  if (advice === undefined) return cause;
  return withCode(`The database ${path} cannot be used (${code}). ${advice}`, code, cause);
}

function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
