import type {
  ComponentKind,
  NamedRecord,
  PlatformState,
  PlatformStore,
  RecordKey,
  RecordStore,
  Unchanged,
} from '../core/platform-state.js';
import { readerOf, type Transact, writerOf } from './transactions.js';
import { notifyPeers } from './notifications.js';
import type { Connection } from './connection.js';
import type { Database, RecordKind, Write } from './tables.js';
import { type ComponentOverrides, type DesiredState, NO_OVERRIDES } from '../core/component.js';

/**
 * Creates the platform store of an open database. Notifies the other nodes of each change, with the id `node`
 * as the sender.
 */
export function platformStore(connection: Connection, node: string): PlatformStore {
  const read = readerOf(connection);
  const transact = writerOf(connection);
  // Every write increments the revision first. The lock on that row makes the changes run one after the
  // other.
  const write: Transact = (work) =>
    transact(async (db) => {
      await incrementRevision(db);
      await notifyPeers(db, node);
      return work(db);
    });
  return {
    // The isolation level makes the state consistent, even during concurrent writes.
    read: () => read((db) => db.transaction().setIsolationLevel('repeatable read').execute(selectState)),
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

async function selectState(db: Write): Promise<PlatformState> {
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

interface RecordAccess {
  readonly read: ReturnType<typeof readerOf>;
  readonly write: Transact;
}

function recordStore(kind: RecordKind, { read, write }: RecordAccess): RecordStore {
  return {
    list: () => read((db) => selectRecords(db, kind)),
    find: (name) =>
      isValidName(name) ? read((db) => selectRecord(db, kind, name)) : Promise.resolve(undefined),
    create: (record) =>
      write(async (db) => {
        // The revision of the state exceeds every revision that a record with this name has had.
        const created = { ...record, revision: (await selectPlatform(db)).revision };
        return (await insertRecord(db, kind, created)) ? created : undefined;
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
        await deleteDependents(db, kind, name);
        return record;
      }),
  };
}

/** Deletes the overrides of a removed adapter, and deactivates a removed profile. */
async function deleteDependents(db: Write, kind: RecordKind, name: string): Promise<void> {
  if (kind === 'adapter') await deleteOverrides(db, { kind, name });
  else if ((await selectPlatform(db)).activeProfile === name) await setActiveProfile(db, null);
}

/** Returns false for a name with NUL: no record has such a name, and PostgreSQL rejects it. */
function isValidName(name: string): boolean {
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

/** Stores the next revision of a record; the transaction must hold the lock of the platform state. */
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

/**
 * Increments the revision of the state. The row is locked until the transaction ends, so that changes run one
 * after the other.
 */
async function incrementRevision(db: Write): Promise<void> {
  await db
    .updateTable('platform')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
}

/** Returns the revision of the state, and the name of the active profile. */
async function selectPlatform(
  db: Database,
): Promise<{ readonly revision: number; readonly activeProfile: string | null }> {
  return db.selectFrom('platform').select(['revision', 'activeProfile']).executeTakeFirstOrThrow();
}

/** Sets the active profile. */
async function setActiveProfile(db: Write, name: string | null): Promise<void> {
  await db.updateTable('platform').set({ activeProfile: name }).execute();
}

/** A component by its kind and name. */
interface Component {
  readonly kind: ComponentKind;
  readonly name: string;
}

/** Returns the overrides of the components of a kind, by name. */
async function selectAllOverrides(
  db: Database,
  kind: ComponentKind,
): Promise<ReadonlyMap<string, ComponentOverrides>> {
  const rows = await db.selectFrom('wishes').selectAll().where('kind', '=', kind).orderBy('name').execute();
  return new Map(rows.map((row) => [row.name, parseOverrides(row)]));
}

/** Returns the overrides of one component. */
async function selectOverrides(db: Database, { kind, name }: Component): Promise<ComponentOverrides> {
  const row = await db
    .selectFrom('wishes')
    .selectAll()
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ? parseOverrides(row) : NO_OVERRIDES;
}

/** Stores the overrides of a component. */
async function upsertOverrides(
  db: Write,
  component: Component,
  overrides: ComponentOverrides,
): Promise<void> {
  const { kind, name } = component;
  const { wanted, restarts } = overrides;
  const values = { wanted, restarts, levels: formatLevels(overrides) };
  await db
    .insertInto('wishes')
    .values({ kind, name, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(values))
    .execute();
}

/** Deletes the overrides of a component. */
async function deleteOverrides(db: Write, { kind, name }: Component): Promise<void> {
  await db.deleteFrom('wishes').where('kind', '=', kind).where('name', '=', name).execute();
}

function parseOverrides({
  wanted,
  restarts,
  levels,
}: {
  readonly wanted: DesiredState;
  readonly restarts: number;
  readonly levels: string;
}): ComponentOverrides {
  const { goBack, stopped, ...byTransport } = JSON.parse(levels) as StoredLogLevels;
  const isStopped = wanted === 'stopped' && stopped !== undefined;
  return { wanted, restarts, levels: byTransport, ...(goBack && { goBack }), ...(isStopped && { stopped }) };
}

/** Levels as stored in the column: `goBack` and `stopped` are members next to the transports. */
type StoredLogLevels = ComponentOverrides['levels'] & Pick<ComponentOverrides, 'goBack' | 'stopped'>;

function formatLevels({ levels, goBack, stopped }: ComponentOverrides): string {
  const stored: StoredLogLevels = { ...levels, ...(goBack && { goBack }), ...(stopped && { stopped }) };
  return JSON.stringify(stored);
}
