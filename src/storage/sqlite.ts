import { isAbsolute } from 'node:path';
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
import type { Database, Tables } from './tables.js';
import { Worker } from 'node:worker_threads';
import type { SqliteReply, SqliteRequest, SqliteResult } from './sqlite-message.js';

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** Owns the thread of an open SQLite database, which answers one request after the other. */
class SqliteThread {
  readonly #worker: Worker;
  /** Requests in the order of their answers. */
  readonly #waiting: Waiting[] = [];
  /** Reason why the thread accepts no more requests. */
  #ended: Error | undefined;

  private constructor(path: string) {
    this.#worker = new Worker(new URL('./sqlite-worker.js', import.meta.url), { workerData: path, env: {} });
    this.#worker.on('message', (reply: SqliteReply) => {
      this.#settle(reply);
    });
    this.#worker.on('error', (error) => {
      this.#end(error.message);
    });
    this.#worker.on('exit', () => {
      this.#end('it ended');
    });
  }

  /** Opens the database at a path, or `:memory:`. Rejects with the `code` of the driver or file system. */
  static async open(path: string): Promise<SqliteThread> {
    const thread = new SqliteThread(path);
    await thread.#answer();
    return thread;
  }

  /** Sends a request. Rejects with the `code` of the driver; `SQLITE_IOERR_THREAD` if the thread is gone. */
  ask(request: SqliteRequest): Promise<SqliteResult> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#worker.postMessage(request);
    return this.#answer();
  }

  /** Closes the database after all earlier requests are done, and ends the thread. */
  async close(): Promise<void> {
    if (this.#ended) return;
    const closed = this.ask({ kind: 'close' });
    this.#ended = gone('it was closed');
    try {
      await closed;
    } finally {
      await this.#worker.terminate();
    }
  }

  #answer(): Promise<SqliteResult> {
    // Only a pending request keeps the process alive.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  #settle(reply: SqliteReply): void {
    const first = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if ('done' in reply) first?.resolve(reply.done);
    else first?.reject(withCode(reply.fault.message, reply.fault.code));
  }

  #end(why: string): void {
    this.#ended ??= gone(why);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }
}

function gone(why: string): Error {
  return withCode(`The thread of the database is gone: ${why}.`, 'SQLITE_IOERR_THREAD');
}

function withCode(message: string, code: string | undefined): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

/** Creates the Kysely dialect of a SQLite database in a separate thread. */
function sqliteDialect(thread: SqliteThread): Dialect {
  return {
    createDriver: () => new SqliteDriver(thread),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Owns the only connection, and lends it to one user at a time. */
class SqliteDriver implements Driver {
  readonly #thread: SqliteThread;
  readonly #connection: DatabaseConnection;
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  constructor(thread: SqliteThread) {
    this.#thread = thread;
    this.#connection = connectionTo(thread);
  }

  async init(): Promise<void> {
    // The thread has already opened the database.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return this.#connection;
  }

  releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
    return Promise.resolve();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(): Promise<void> {
    await this.#thread.ask({ kind: 'rollback' });
  }

  destroy(): Promise<void> {
    return this.#thread.close();
  }
}

function connectionTo(thread: SqliteThread): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await thread.ask({ kind: 'query', sql, parameters });
      return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: changes }) };
    },
    streamQuery: () => {
      throw new TypeError('Lists are read in pages.');
    },
  };
}

/**
 * Opens a SQLite file (created with mode 0600, its folder with 0700) or `:memory:` in a separate thread. A
 * commit is on the disk when it resolves. Throws an Error that says what to do.
 */
export async function openSqlite(path: string): Promise<Database> {
  if (path !== ':memory:' && !isAbsolute(path)) {
    // The path is not repeated, because it may come from Vault.
    throw new Error('storage.url must be sqlite:/absolute/path or sqlite::memory:.');
  }
  try {
    const thread = await SqliteThread.open(path);
    return new Kysely<Tables>({ dialect: sqliteDialect(thread), plugins: [new CamelCasePlugin()] });
  } catch (cause) {
    throw new Error(openFault(path, cause), { cause });
  }
}

/**
 * Returns true if the device under the database failed, or its thread. The connection must then not be used
 * again: after a failed sync, Linux reports success for the next one, whatever was lost.
 */
export function isDeviceFault(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_IOERR');
}

const RIGHTS = 'Give the user of this process the right to read and write it and its folder.';
const PATH = 'A part of its path is a file: correct storage.url.';
const ADVICE: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder: let storage.url name a file in it.',
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: 'Its file system is read-only: let storage.url name another place.',
  ENOSPC: 'The disk is full: make room.',
  ENOTDIR: PATH,
  EEXIST: PATH,
  SQLITE_NOTADB: 'The file is no SQLite database: let storage.url name another file, or move this one away.',
  SQLITE_CORRUPT: 'The database is damaged: restore a backup.',
  SQLITE_READONLY: RIGHTS,
  SQLITE_CANTOPEN: RIGHTS,
  SQLITE_BUSY: 'Another process has locked it: stop that process.',
  SQLITE_FULL: 'The disk is full: make room.',
};

function openFault(path: string, cause: unknown): string {
  const code = codeOf(cause);
  return `The database ${path} cannot be opened (${code}). ${ADVICE[code] ?? 'Check storage.url and the disk.'}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
