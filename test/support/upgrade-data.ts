import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { migrate, MIGRATIONS } from '../../src/storage/migrations.js';
import type { Database } from '../../src/storage/tables.js';

/** Files that version 0.1.0 wrote. */
const FILES = fileURLToPath(new URL('../../../test/e2e/upgrade-0.1.0', import.meta.url));

type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;

/** Columns whose values the database generates. */
const GENERATED = new Set(['audit.id', 'ended_tokens.seq']);

/** Number of migrations of version 0.1.0. */
export const MIGRATIONS_OF_0_1_0 = 8;

/** Shortly after the last change in the data, when its tokens were valid. In milliseconds since 1970. */
export const RECORDED_AT = Date.UTC(2026, 10, 27, 21, 52);

/** Tables of version 0.1.0 in SQLite, as statements. */
export const schemaOf010 = (): readonly string[] =>
  readFileSync(join(FILES, 'schema.sql'), 'utf8').trimEnd().split('\n');

interface KeysOf010 {
  readonly token: string;
  readonly signedOutToken: string;
  readonly auditKey: string;
  readonly signingKey: string;
}

export const keysOf010 = (): KeysOf010 =>
  JSON.parse(readFileSync(join(FILES, 'keys.json'), 'utf8')) as KeysOf010;

/** Creates the tables of version 0.1.0 in an empty database, and inserts its rows. */
export async function insertDataOf010(db: Database): Promise<void> {
  await migrate(db, MIGRATIONS.slice(0, MIGRATIONS_OF_0_1_0));
  const tables = JSON.parse(readFileSync(join(FILES, 'rows.json'), 'utf8')) as Rows;
  for (const [table, rows] of Object.entries(tables)) {
    // The migrations insert a row into some tables.
    await sql`delete from ${sql.table(table)}`.execute(db);
    for (const row of rows) {
      const columns = Object.keys(row).filter((column) => !GENERATED.has(`${table}.${column}`));
      const names = sql.join(columns.map((column) => sql.ref(column)));
      const values = sql.join(columns.map((column) => row[column] ?? null));
      await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db);
    }
  }
}

/**
 * Writes the configuration, the signing key and the audit file of version 0.1.0. `changes` replace texts of the main
 * file. Returns the path of the main file.
 */
export function writeFilesOf010(folder: string, changes: Readonly<Record<string, string>> = {}): string {
  const { auditKey, signingKey } = keysOf010();
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  cpSync(join(FILES, 'config'), join(folder, 'config'), { recursive: true });
  copyFileSync(join(FILES, 'audit.jsonl'), join(folder, 'data', 'audit.log'));
  writeFileSync(join(folder, 'data', 'audit.log.key'), auditKey, { mode: 0o600 });
  writeFileSync(join(folder, 'data', 'local-issuer.pem'), signingKey, { mode: 0o600 });
  const path = join(folder, 'config', 'gatehouse.yaml');
  let text = readFileSync(path, 'utf8');
  for (const [old, current] of Object.entries(changes)) text = text.replace(old, current);
  // The list of sessions is an operation of earlier releases.
  writeFileSync(path, `${text}release: '2021.2'\n`);
  return path;
}
