import type { Database } from './tables.js';

export interface ConnectionOptions {
  readonly open: () => Promise<Database>;
  /** True for errors after which the database must be opened anew. */
  readonly isFatal: (error: unknown) => boolean;
}

/** Owns the open database. Work that breaks it fails; the work after that gets a fresh one. */
export class Connection {
  readonly #options: ConnectionOptions;
  #opening: Promise<Database> | undefined;
  readonly #ending = new Set<Promise<unknown>>();
  #closed = false;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    await connection.#connect();
    return connection;
  }

  async use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const opening = this.#connect();
    const database = await opening;
    try {
      return await work(database);
    } catch (error) {
      if (this.#options.isFatal(error)) {
        this.#forget(opening);
        this.#end(database);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const database = await this.#opening?.catch(() => undefined);
    await Promise.all([database?.destroy(), ...this.#ending]);
  }

  /** Other work may still be under way there, and hang: nobody waits for it. */
  #end(database: Database): void {
    const ending = database
      .destroy()
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #connect(): Promise<Database> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    if (this.#opening) return this.#opening;
    const opening = this.#options.open();
    opening.catch(() => {
      this.#forget(opening);
    });
    return (this.#opening = opening);
  }

  #forget(opening: Promise<Database>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }
}
