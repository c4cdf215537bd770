import type {
  PlatformState,
  PlatformStore,
  RecordStore,
  NamedRecord,
  RecordKey,
  Unchanged,
} from '../core/platform-state.js';
import { readerOf, type Transact, writerOf } from './access.js';
import { notifyPeers } from './notify.js';
import type { Connection } from './connection.js';
import {
  countChange,
  deleteOverrides,
  selectPlatform,
  selectOverrides,
  selectAllOverrides,
  setActiveProfile,
  upsertOverrides,
} from './platform-tables.js';
import type { RecordKind, Write, Database } from './tables.js';

/**
 * Creates the platform store of an open database. Notifies other nodes of each change, with `node` as the
 * sender.
 */
export function platformStore(connection: Connection, node: string): PlatformStore {
  const read = readerOf(connection);
  const transact = writerOf(connection);
  // Every write increments the revision first. The lock on that row makes every change see the previous one.
  const write: Transact = (work) =>
    transact(async (db) => {
      await countChange(db);
      await notifyPeers(db, node);
      return work(db);
    });
  return {
    // Reads one consistent state, even during concurrent writes.
    read: () => read((db) => db.transaction().setIsolationLevel('repeatable read').execute(state)),
    revision: () => read(async (db) => (await selectPlatform(db)).revision),
    adapters: recordStore('adapter', { read, write }),
    profiles: recordStore('profile', { read, write }),
    activate: (profile) => write((db) => activate(db, profile)),
    overrides: (component, change) =>
      write(async (db) => {
        const overrides = change(await selectOverrides(db, component));
        await upsertOverrides(db, component, overrides);
        return overrides;
      }),
  };
}

async function state(db: Write): Promise<PlatformState> {
  const { revision, activeProfile } = await selectPlatform(db);
  const profile = activeProfile === null ? undefined : await selectRecord(db, 'profile', activeProfile);
  return {
    revision,
    adapters: await selectRecords(db, 'adapter'),
    overrides: {
      adapter: await selectAllOverrides(db, 'adapter'),
      application: await selectAllOverrides(db, 'application'),
    },
    ...(profile && { profile }),
  };
}

async function activate(db: Write, profile: string | undefined): Promise<boolean> {
  if (profile !== undefined && !(await selectRecord(db, 'profile', profile))) return false;
  await setActiveProfile(db, profile ?? null);
  return true;
}

interface RecordWriters {
  readonly read: ReturnType<typeof readerOf>;
  readonly write: Transact;
}

function recordStore(kind: RecordKind, { read, write }: RecordWriters): RecordStore {
  return {
    list: () => read((db) => selectRecords(db, kind)),
    find: (name) => (isName(name) ? read((db) => selectRecord(db, kind, name)) : Promise.resolve(undefined)),
    create: (record) =>
      write(async (db) => {
        // The revision of the state exceeds every revision that a record with this name has had.
        const made = { ...record, revision: (await selectPlatform(db)).revision };
        return (await insertRecord(db, kind, made)) ? made : undefined;
      }),
    update: ({ name, revision }, change) =>
      write(async (db) => {
        const record = await recordAt(db, kind, { name, revision });
        if (typeof record === 'string') return record;
        const next = { ...record, revision: record.revision + 1, document: change(record.document) };
        await updateRecord(db, kind, next);
        return next;
      }),
    remove: ({ name, revision }) =>
      write(async (db) => {
        const record = await recordAt(db, kind, { name, revision });
        if (typeof record === 'string') return record;
        await deleteRecord(db, kind, name);
        await forget(db, kind, name);
        return record;
      }),
  };
}

/** Deletes the data that depends on a record. */
async function forget(db: Write, kind: RecordKind, name: string): Promise<void> {
  if (kind === 'adapter') await deleteOverrides(db, { kind, name });
  else if ((await selectPlatform(db)).activeProfile === name) await setActiveProfile(db, null);
}

/** Returns false for a name with NUL, which PostgreSQL rejects and no name contains. */
function isName(name: string): boolean {
  return !name.includes('\0');
}

/** Returns the records of a kind, sorted by name. */
async function selectRecords(db: Database, kind: RecordKind): Promise<readonly NamedRecord[]> {
  const rows = await rowsOf(db, kind).orderBy('name').execute();
  return rows.map(recordOf);
}

/** Returns the record with this name. */
async function selectRecord(db: Database, kind: RecordKind, name: string): Promise<NamedRecord | undefined> {
  const row = await rowsOf(db, kind).where('name', '=', name).executeTakeFirst();
  return row && recordOf(row);
}

/** Inserts a record; false if its name is taken. */
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

/** Writes the next revision of a record; the transaction must hold the lock of the state. */
async function updateRecord(
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

/** Deletes a record. */
async function deleteRecord(db: Write, kind: RecordKind, name: string): Promise<void> {
  await db.deleteFrom('records').where('kind', '=', kind).where('name', '=', name).execute();
}

/** Returns the record that a key identifies, or the reason why no record matches. */
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
