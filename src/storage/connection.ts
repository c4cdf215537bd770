import type { Database } from './tables.js';

export interface ConnectionOptions {
  readonly open: () => Promise<Database>;
  /** Returns true for errors after which the database must be opened again. */
  readonly isFatal: (error: unknown) => boolean;
}

/** A database that is open or being opened. */
interface Opening {
  readonly database: Promise<Database>;
  /** Number of running operations on the database. */
  users: number;
}

/**
 * Owns the open database. Work that breaks it fails, and later work opens the database again. The broken
 * database is closed after its last work has ended, because the failure may not affect that work.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #ending = new Set<Promise<unknown>>();
  #opening: Opening | undefined;
  #closed = false;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    await connection.#connect().database;
    return connection;
  }

  async use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('The store is closed.');
    const opening = this.#connect();
    opening.users += 1;
    try {
      return await work(await opening.database);
    } catch (error) {
      if (this.#options.isFatal(error)) this.#forget(opening);
      throw error;
    } finally {
      opening.users -= 1;
      if (opening.users === 0 && opening !== this.#opening) this.#end(opening);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#opening) this.#end(this.#opening);
    await Promise.all(this.#ending);
  }

  #connect(): Opening {
    if (this.#opening) return this.#opening;
    const opening = { database: this.#options.open(), users: 0 };
    opening.database.catch(() => {
      this.#forget(opening);
    });
    return (this.#opening = opening);
  }

  #forget(opening: Opening): void {
    if (this.#opening === opening) this.#opening = undefined;
  }

  #end({ database }: Opening): void {
    const ending = database
      .then((one) => one.destroy())
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
