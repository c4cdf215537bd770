import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import type { FormStore } from '../src/features/forms/form-store.js';
import { formStore } from '../src/features/forms/store.js';
import { Connection } from '../src/storage/connection.js';
import { migrate } from '../src/storage/migrations.js';
import { openFile } from '../src/storage/sqlite-file.js';
import type { Tables } from '../src/storage/tables.js';
import { inMainThread } from '../test/support/sqlite.js';

/** Opens forms in a SQLite file without a thread: the main loop waits for the disk. */
export async function openFormsInMainThread(
  path: string,
): Promise<{ readonly forms: FormStore; close(): Promise<void> }> {
  const dialect = new SqliteDialect({ database: inMainThread(openFile(path)) });
  const database = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  await migrate(database);
  const open = (): Promise<typeof database> => Promise.resolve(database);
  const connection = await Connection.open({ open, isFatal: () => false });
  return { forms: formStore(connection), close: () => connection.close() };
}
