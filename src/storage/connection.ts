import type { Database } from './tables.js';

/** How a database is opened, and which errors make it unusable. */
export interface ConnectionOptions {
  readonly open: () => Promise<Database>;
  /** Returns true for errors after which the database must be opened again. */
  readonly isFatal: (error: unknown) => boolean;
}

/** A database that is open or being opened. */
interface SharedDatabase {
  readonly database: Promise<Database>;
  users: number;
}

/**
 * Owns the open database. After a fatal error, the next operation opens the database again. The failed
 * database is closed when its last operation has ended, because the failure may not affect that operation.
 */
export class Connection {
  /** True from a write that found the database full until `requireSpace` finds space. */
  isFull = false;
  readonly #options: ConnectionOptions;
  readonly #closing = new Set<Promise<unknown>>();
  #current: SharedDatabase | undefined;
  #closed = false;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Opens the database. Rejects with the error of `options.open`. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    await connection.#connect().database;
    return connection;
  }

  /** Runs an operation on the database, and opens the database first if necessary. */
  async use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('The store is closed.');
    const shared = this.#connect();
    shared.users += 1;
    try {
      return await work(await shared.database);
    } catch (error) {
      if (this.#options.isFatal(error)) this.#forget(shared);
      throw error;
    } finally {
      shared.users -= 1;
      if (shared.users === 0 && shared !== this.#current) this.#destroy(shared);
    }
  }

  /** Closes the database. Rejects all later operations. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#current) this.#destroy(this.#current);
    await Promise.all(this.#closing);
  }

  #connect(): SharedDatabase {
    if (this.#current) return this.#current;
    const shared = { database: this.#options.open(), users: 0 };
    shared.database.catch(() => {
      this.#forget(shared);
    });
    return (this.#current = shared);
  }

  #forget(shared: SharedDatabase): void {
    if (this.#current === shared) this.#current = undefined;
  }

  #destroy({ database }: SharedDatabase): void {
    const closing = database
      .then((opened) => opened.destroy())
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
