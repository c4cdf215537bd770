import type { NamedRecord, RecordKey, Unchanged } from '../core/platform-state.js';
import type { Database, RecordKind, Write } from './tables.js';

/** The records of a kind, by name. */
export async function selectRecords(db: Database, kind: RecordKind): Promise<readonly NamedRecord[]> {
  const rows = await rowsOf(db, kind).orderBy('name').execute();
  return rows.map(recordOf);
}

/** The record of a name. */
export async function selectRecord(
  db: Database,
  kind: RecordKind,
  name: string,
): Promise<NamedRecord | undefined> {
  const row = await rowsOf(db, kind).where('name', '=', name).executeTakeFirst();
  return row && recordOf(row);
}

/** Adds a record; false when its name is taken. */
export async function insertRecord(
  db: Write,
  kind: RecordKind,
  { id, name, revision, document }: NamedRecord,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('records')
    .values({ kind, id, name, revision, document: JSON.stringify(document) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Writes the next revision of a record; the transaction must have its turn. */
export async function updateRecord(
  db: Write,
  kind: RecordKind,
  { name, revision, document }: NamedRecord,
): Promise<void> {
  await db
    .updateTable('records')
    .set({ revision, document: JSON.stringify(document) })
    .where('kind', '=', kind)
    .where('name', '=', name)
    .execute();
}

/** Removes a record. */
export async function deleteRecord(db: Write, kind: RecordKind, name: string): Promise<void> {
  await db.deleteFrom('records').where('kind', '=', kind).where('name', '=', name).execute();
}

/** The record that a key means, or why there is none. */
export async function recordAt(
  db: Write,
  kind: RecordKind,
  { name, revision }: RecordKey,
): Promise<NamedRecord | Unchanged> {
  const record = await selectRecord(db, kind, name);
  if (!record) return 'absent';
  return revision === undefined || revision === record.revision ? record : 'stale';
}

function rowsOf(db: Database, kind: RecordKind) {
  return db.selectFrom('records').select(['id', 'name', 'revision', 'document']).where('kind', '=', kind);
}

function recordOf({
  document,
  ...rest
}: {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly document: string;
}): NamedRecord {
  return { ...rest, document: JSON.parse(document) as NamedRecord['document'] };
}
