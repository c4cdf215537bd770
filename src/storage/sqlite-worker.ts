import { parentPort, workerData } from 'node:worker_threads';
import type SQLite from 'better-sqlite3';
import { openFile } from './sqlite-file.js';
import type { SqliteReply, SqliteRequest, SqliteResult } from './sqlite-message.js';

// Thread of one database: waiting for the disk, or for another process, blocks only this thread.
const NOTHING: SqliteResult = { rows: [] };

function runStatement(database: SQLite.Database, request: SqliteRequest): SqliteResult {
  switch (request.kind) {
    case 'query':
      return query(database, request.sql, request.parameters);
    case 'rollback':
      // After some failures (the device, a full disk) SQLite has already rolled the transaction back. Another
      // rollback would fail and hide the original error.
      if (database.inTransaction) database.exec('rollback');
      return NOTHING;
    case 'close':
      database.close();
      return NOTHING;
  }
}

function query(database: SQLite.Database, sql: string, parameters: readonly unknown[]): SqliteResult {
  const statement = database.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) };
  return { rows: [], changes: BigInt(statement.run(parameters).changes) };
}

function answer(work: () => SqliteResult): void {
  parentPort?.postMessage(replyOf(work));
}

function replyOf(work: () => SqliteResult): SqliteReply {
  try {
    return { done: work() };
  } catch (error) {
    if (!(error instanceof Error)) return { fault: { message: String(error) } };
    return { fault: { message: error.message, ...('code' in error && { code: String(error.code) }) } };
  }
}

answer(() => {
  const database = openFile(workerData as string);
  parentPort?.on('message', (request: SqliteRequest) => {
    answer(() => runStatement(database, request));
  });
  return NOTHING;
});
