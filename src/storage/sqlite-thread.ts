import { Worker } from 'node:worker_threads';
import type { SqliteReply, SqliteRequest, SqliteResult } from './sqlite-message.js';

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** Owns the thread in which a SQLite database is open. It answers one request after the other. */
export class SqliteThread {
  readonly #worker: Worker;
  /** In the order of their answers. */
  readonly #waiting: Waiting[] = [];
  /** Why it takes nothing any more. */
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

  /** Opens the database at a path, or `:memory:`. Rejects with the `code` of the driver or of the file system. */
  static async open(path: string): Promise<SqliteThread> {
    const thread = new SqliteThread(path);
    await thread.#answer();
    return thread;
  }

  /** Rejects with the `code` of the driver; `SQLITE_IOERR_THREAD` when the thread is gone. */
  ask(request: SqliteRequest): Promise<SqliteResult> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#worker.postMessage(request);
    return this.#answer();
  }

  /** Closes the database once everything that was asked before is done, and ends the thread. */
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
    // Only a request that waits keeps the process alive.
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
