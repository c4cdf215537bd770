import type { NamedRecord, RecordKey, RecordStore, Unchanged } from '../core/platform-state.js';
import { Problem } from '../core/problem.js';
import {
  type ChangeNote,
  NO_NOTE,
  type RecordAction,
  type RecordKind,
  type RuleKind,
  requireAuthor,
} from '../core/record-history.js';
import { deleteCommit, noteCommit, selectCommit } from './confirmed-commits.js';
import { deleteOverrides } from './override-store.js';
import { selectPlatform, setActiveProfile, unchanged } from './platform-row.js';
import { insertAct, insertVersion, selectRemoved, selectVersion, selectVersions } from './record-versions.js';
import type { Database, Write } from './tables.js';
import type { ReadTransaction, Transact } from './transactions.js';

interface RecordAccess {
  readonly read: ReadTransaction;
  readonly write: Transact;
}

/** Creates the store of the records of one kind. `write` must hold the lock of the platform state. */
export function recordStore(kind: RecordKind, { read, write }: RecordAccess): RecordStore {
  const ifValid = <T>(name: string, work: (db: Database) => Promise<T | undefined>): Promise<T | undefined> =>
    isValidName(name) ? read(work) : Promise.resolve(undefined);
  return {
    list: () => read((db) => selectRecords(db, kind)),
    find: (name) => ifValid(name, (db) => selectRecord(db, kind, name)),
    create: (record, note = NO_NOTE) =>
      write(async (db) => {
        // The revision of the state exceeds every revision that a record with this name has had.
        const created = { ...record, revision: (await selectPlatform(db)).revision };
        if (!(await insertRecord(db, kind, created))) return unchanged(undefined);
        await noteChange(db, { kind, action: note.action ?? 'created', record: created }, note);
        return created;
      }),
    update: (key, change, note = NO_NOTE) =>
      write(async (db) => {
        const record = await recordAt(db, kind, key);
        if (typeof record === 'string') return unchanged(record);
        const { name, document } = record;
        const replaced = isRule(kind)
          ? undefined
          : await noteCommit(db, { key: { kind, name }, previous: { document } }, note);
        const next = change(document, replaced);
        return writeDocument(db, { kind, action: 'updated', record }, { document: next, note });
      }),
    remove: (key, note = NO_NOTE) =>
      write(async (db) => {
        const record = await recordAt(db, kind, key);
        if (typeof record === 'string') return unchanged(record);
        await deleteRecord(db, { kind, action: 'removed', record }, note);
        return record;
      }),
    versions: (name, page) => ifValid(name, (db) => selectVersions(db, { kind, name }, page)),
    version: (name, revision) => ifValid(name, (db) => selectVersion(db, { kind, name }, revision)),
    removed: () => read((db) => selectRemoved(db, kind)),
  };
}

interface RecordChange {
  readonly kind: RecordKind;
  /** Action of a note without one. */
  readonly action: RecordAction;
  readonly record: NamedRecord;
}

/** Stores the next revision of a record with its version. Returns the new record. */
export async function writeDocument(
  db: Write,
  { kind, action, record }: RecordChange,
  { document, note }: { readonly document: NamedRecord['document']; readonly note: ChangeNote },
): Promise<NamedRecord> {
  const next = { ...record, revision: record.revision + 1, document };
  await db
    .updateTable('records')
    .set({ revision: next.revision, document: JSON.stringify(document) })
    .where('kind', '=', kind)
    .where('name', '=', next.name)
    .execute();
  await noteChange(db, { kind, action: note.action ?? action, record: next }, note);
  return next;
}

/** Deletes a record; its versions stay, and the last one is the removal. */
async function deleteRecord(
  db: Write,
  { kind, action, record }: RecordChange,
  note: ChangeNote,
): Promise<void> {
  const { name, document } = record;
  const pending = isRule(kind) ? undefined : await selectCommit(db, { kind, name });
  if (pending) requireAuthor(pending, note);
  if (kind === 'profile') await requireNoReturn(db, name);
  await db.deleteFrom('records').where('kind', '=', kind).where('name', '=', name).execute();
  if (pending) await deleteCommit(db, pending);
  if (kind === 'adapter') await deleteOverrides(db, { kind, name });
  if (kind === 'profile' && (await selectPlatform(db)).activeProfile === name)
    await setActiveProfile(db, null);
  const { revision } = await selectPlatform(db);
  await noteChange(db, { kind, action, record: { ...record, revision, document } }, note);
}

/** Throws `confirmation_pending` if an unconfirmed activation would return to this profile. */
async function requireNoReturn(db: Write, name: string): Promise<void> {
  const activation = await selectCommit(db, { kind: 'activation', name });
  if (!activation || !('profile' in activation.previous) || activation.previous.profile !== name) return;
  const until = new Date(activation.until).toISOString();
  throw new Problem(
    'confirmation_pending',
    `The activation of the profile "${activation.name}" waits for its confirmation until ${until}, and would return to the profile "${name}".`,
  );
}

async function noteChange(
  db: Write,
  { kind, action, record }: RecordChange,
  note: ChangeNote,
): Promise<void> {
  await insertVersion(db, { kind, action }, { record, note });
  // A record without an earlier version has no act `stored`.
  if (action === 'stored') return;
  const detail = note.restores?.toString();
  await insertAct(db, { about: { kind, name: record.name }, action, detail }, note);
}

/** Returns true for a kind whose changes cannot wait for a confirmation. */
function isRule(kind: RecordKind): kind is RuleKind {
  return kind === 'access-rule' || kind === 'limit';
}

/** Returns false for a name with NUL: no record has such a name, and PostgreSQL rejects it. */
function isValidName(name: string): boolean {
  return !name.includes('\0');
}

/** Returns the records of a kind, sorted by name. */
export async function selectRecords(db: Database, kind: RecordKind): Promise<readonly NamedRecord[]> {
  const rows = await rowsOf(db, kind).orderBy('name').execute();
  return rows.map(recordOf);
}

export async function selectRecord(
  db: Database,
  kind: RecordKind,
  name: string,
): Promise<NamedRecord | undefined> {
  const row = await rowsOf(db, kind).where('name', '=', name).executeTakeFirst();
  return row && recordOf(row);
}

/** Inserts a record. Returns false, without a change, if its name is taken. */
async function insertRecord(
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

/** Returns the record with this name and revision, or the reason why there is no such record. */
async function recordAt(
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
  ...record
}: {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly document: string;
}): NamedRecord {
  return { ...record, document: JSON.parse(document) as NamedRecord['document'] };
}
