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

/** What the API keeps, in an open database; other nodes on it are told of each change, and that it comes from `node`. */
export function platformStore(connection: Connection, node: string): PlatformStore {
  const read = readerOf(connection);
  const transact = writerOf(connection);
  // Whoever writes counts first: that row is the turn which makes every change see the one before it.
  const write: Transact = (work) =>
    transact(async (db) => {
      await countChange(db);
      await notifyPeers(db, node);
      return work(db);
    });
  return {
    // All of one moment, though others write meanwhile.
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
        // That of the state is beyond any that a record of this name has had.
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

/** What hung on a record goes with it. */
async function forget(db: Write, kind: RecordKind, name: string): Promise<void> {
  if (kind === 'adapter') await deleteOverrides(db, { kind, name });
  else if ((await selectPlatform(db)).activeProfile === name) await setActiveProfile(db, null);
}

/** PostgreSQL refuses the character NUL wherever it stands; no name has it. */
function isName(name: string): boolean {
  return !name.includes('\0');
}

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
