import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteThread } from './sqlite-thread.js';

/** How Kysely speaks to a SQLite database in a thread of its own. */
export function sqliteDialect(thread: SqliteThread): Dialect {
  return {
    createDriver: () => new SqliteDriver(thread),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Owns the one connection, and lets one after the other have it. */
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
    // The thread has opened the database already.
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
