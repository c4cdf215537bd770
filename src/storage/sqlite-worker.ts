import { parentPort, workerData } from 'node:worker_threads';
import type { StatementSyncInstance } from '@photostructure/sqlite';
import { BoundedMap } from '../lib/bounded-map.js';
import { sqliteCodeOf, type SqliteDatabase } from './sqlite-driver.js';
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

/** Maximum number of prepared statements, which the driver releases only when they are garbage-collected. */
const MAX_STATEMENTS = 200;

/** Maximum length of the SQL and parameters of a statement that is kept, which holds a copy of both. */
const MAX_STATEMENT_LENGTH = 20_000;

/** An open database with the statements that it has prepared, by their SQL. */
interface OpenDatabase {
  readonly database: SqliteDatabase;
  readonly statements: BoundedMap<string, StatementSyncInstance>;
}

function runRequest(open: OpenDatabase, request: SqliteRequest): SqliteResult {
  const { database, statements } = open;
  switch (request.kind) {
    case 'query':
      return runQuery(open, request.sql, request.parameters);
    case 'rollback':
      // After some errors, such as a device error or a full disk, SQLite has already rolled the transaction
      // back. Another rollback would fail and hide the original error.
      if (database.isTransaction) database.exec('rollback');
      return NO_ROWS;
    case 'close':
      statements.clear();
      database.close();
      return NO_ROWS;
  }
}

function runQuery(
  { database, statements }: OpenDatabase,
  sql: string,
  parameters: readonly unknown[],
): SqliteResult {
  const statement = statements.get(sql) ?? database.prepare(sql);
  const returnsRows = statement.columns().length > 0;
  const result = returnsRows
    ? { rows: statement.all(...parameters) }
    : { rows: [], changes: BigInt(statement.run(...parameters).changes) };
  if (lengthOf(sql, parameters) <= MAX_STATEMENT_LENGTH) statements.set(sql, statement);
  else statements.delete(sql);
  return result;
}

function lengthOf(sql: string, parameters: readonly unknown[]): number {
  return parameters.reduce<number>(
    (length, value) => length + (typeof value === 'string' ? value.length : 8),
    sql.length,
  );
}

function postReply(run: () => SqliteResult): void {
  const reply = replyOf(run);
  parentPort?.postMessage(reply, 'done' in reply ? blobsIn(reply.done) : []);
}

/** Returns the memory of all blobs in a result, which the other thread takes over without a copy. */
function blobsIn({ rows }: SqliteResult): ArrayBuffer[] {
  return rows.flatMap((row) =>
    Object.values(row as object).flatMap((value) =>
      value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    ),
  );
}

function replyOf(run: () => SqliteResult): SqliteReply {
  try {
    return { done: run() };
  } catch (error) {
    if (!(error instanceof Error)) return { fault: { message: String(error) } };
    const code = sqliteCodeOf(error);
    return { fault: { message: error.message, ...(code !== undefined && { code }) } };
  }
}

postReply(() => {
  const open: OpenDatabase = {
    database: openFile(workerData as string),
    statements: new BoundedMap({ maxEntries: MAX_STATEMENTS }),
  };
  parentPort?.on('message', (request: SqliteRequest) => {
    postReply(() => runRequest(open, request));
  });
  return NO_ROWS;
});
