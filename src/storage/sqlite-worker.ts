import { parentPort, workerData } from 'node:worker_threads';
import type SQLite from 'better-sqlite3';
import { openFile } from './sqlite-file.js';

// Worker thread of one SQLite database. A wait for the disk or for another process blocks only this thread.

/** Request to the worker thread of a SQLite database. The thread answers requests in order. */
export type SqliteRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** Rolls the transaction back, unless SQLite has already done so. */
  | { readonly kind: 'rollback' }
  | { readonly kind: 'close' };

/** Reply of the worker thread. The first reply has no request: it reports whether the database was opened. */
export type SqliteReply = { readonly done: SqliteResult } | { readonly fault: SqliteFault };

/** Result of a request. */
export interface SqliteResult {
  readonly rows: readonly unknown[];
  /** Number of changed rows, for statements that return no rows. */
  readonly changes?: bigint;
}

/** An error as passed between threads, which would drop the code of an Error object. */
export interface SqliteFault {
  readonly code?: string;
  readonly message: string;
}

/** Result of a request that returns no rows. */
const NO_ROWS: SqliteResult = { rows: [] };

function runStatement(database: SQLite.Database, request: SqliteRequest): SqliteResult {
  switch (request.kind) {
    case 'query':
      return runQuery(database, request.sql, request.parameters);
    case 'rollback':
      // After some errors, such as a device error or a full disk, SQLite has already rolled the transaction
      // back. Another rollback would fail and hide the original error.
      if (database.inTransaction) database.exec('rollback');
      return NO_ROWS;
    case 'close':
      database.close();
      return NO_ROWS;
  }
}

function runQuery(database: SQLite.Database, sql: string, parameters: readonly unknown[]): SqliteResult {
  const statement = database.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) };
  return { rows: [], changes: BigInt(statement.run(parameters).changes) };
}

function postReply(run: () => SqliteResult): void {
  parentPort?.postMessage(replyOf(run));
}

function replyOf(run: () => SqliteResult): SqliteReply {
  try {
    return { done: run() };
  } catch (error) {
    if (!(error instanceof Error)) return { fault: { message: String(error) } };
    return { fault: { message: error.message, ...('code' in error && { code: String(error.code) }) } };
  }
}

postReply(() => {
  const database = openFile(workerData as string);
  parentPort?.on('message', (request: SqliteRequest) => {
    postReply(() => runStatement(database, request));
  });
  return NO_ROWS;
});
