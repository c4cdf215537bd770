import { existsSync } from 'node:fs';
import { newerSchemaMessage } from './migrations.js';
import { loadSqliteDriver } from './sqlite-driver.js';
import { createFile } from './sqlite-file.js';

/** Maximum wait for the lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Copies a SQLite database into a new file with mode 0600. The copy has the state of one moment, and is complete when this function
 * returns: a server may read and write the database at the same time. Throws an Error if the database does not exist.
 */
export function copySqlite(path: string, copy: string): void {
  // SQLite would create a missing database.
  if (!existsSync(path))
    throw new Error(`The database ${path} does not exist. Start the server, which creates it.`);
  createFile(copy);
  const { DatabaseSync } = loadSqliteDriver();
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec(`vacuum into '${copy.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/**
 * Checks a copy of a database: each page, each index, and the version of its schema. Throws an Error if this version of gatehouse cannot
 * use the copy. Leaves no file beside it.
 */
export function checkSqliteCopy(path: string): void {
  const { DatabaseSync } = loadSqliteDriver();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [result] = database.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[];
    if (result?.integrity_check !== 'ok')
      throw new Error(
        `The database is damaged: ${result?.integrity_check ?? 'no result'}. Use another backup.`,
      );
    const schema = database.prepare('select max(version) as version from schema_versions');
    const { version } = schema.get() as { version: number | null };
    const newer = newerSchemaMessage(version ?? 0);
    if (newer !== undefined) throw new Error(newer);
  } finally {
    database.close();
  }
}
