import type { Activation, PlatformState, PlatformStore } from '../core/platform-state.js';
import {
  type ChangeNote,
  type CommitKey,
  type ConfirmedCommit,
  NO_NOTE,
  type RevertedCommit,
} from '../core/record-history.js';
import {
  deleteCommit,
  noteCommit,
  selectCommit,
  selectCommits,
  withoutPrevious,
} from './confirmed-commits.js';
import type { Connection } from './connection.js';
import { selectAllOverrides, selectOverrides, upsertOverrides } from './override-store.js';
import {
  increaseRevision,
  platformWriter,
  selectPlatform,
  setActiveProfile,
  unchanged,
} from './platform-row.js';
import { recordStore, selectRecord, selectRecords, writeDocument } from './record-store.js';
import { insertAct, selectActs } from './record-versions.js';
import { storeAheadMs, storeTime } from './store-time.js';
import type { Write } from './tables.js';
import { readerOf, writerOf } from './transactions.js';

/**
 * Creates the platform store of an open database. Notifies the other nodes of each change, with the id `node`
 * as the sender.
 */
export function platformStore(connection: Connection, node: string): PlatformStore {
  const read = readerOf(connection);
  const write = platformWriter(writerOf(connection), node);
  return {
    // The isolation level makes the state consistent, even during concurrent writes.
    read: () => read((db) => db.transaction().setIsolationLevel('repeatable read').execute(selectState)),
    revision: () => read(async (db) => (await selectPlatform(db)).revision),
    adapters: recordStore('adapter', { read, write }),
    profiles: recordStore('profile', { read, write }),
    accessRules: recordStore('access-rule', { read, write }),
    limits: recordStore('limit', { read, write }),
    activate: (profile, note = NO_NOTE) => write((db) => activate(db, profile, note)),
    overrides: (component, change, act) =>
      write(async (db) => {
        const before = await selectOverrides(db, component);
        const overrides = change(before);
        // The end of an act changes nothing if another process has ended it.
        if (overrides === before) unchanged(before);
        await upsertOverrides(db, component, overrides);
        if (act) {
          const { entry, note } = act(before);
          await insertAct(db, { about: component, ...entry }, note);
        }
        return overrides;
      }),
    commit: (key) => read((db) => selectCommit(db, key)),
    confirm: (keys, note) =>
      write((db) => endCommits(db, keys, async (commit) => [await confirm(db, commit, note)])),
    revert: (keys, { note, dueAt }) =>
      write(async (db) => {
        const now = dueAt === undefined ? Infinity : await storeTime(db, dueAt);
        return endCommits(db, keys, (commit) => (commit.until > now ? undefined : revert(db, commit, note)));
      }),
    acts: (from) => read((db) => selectActs(db, from)),
  };
}

async function selectState(db: Write): Promise<PlatformState> {
  const { revision, activeProfile } = await selectPlatform(db);
  const profile = activeProfile === null ? undefined : await selectRecord(db, 'profile', activeProfile);
  return {
    revision,
    adapters: await selectRecords(db, 'adapter'),
    accessRules: await selectRecords(db, 'access-rule'),
    limits: await selectRecords(db, 'limit'),
    overrides: {
      adapter: await selectAllOverrides(db, 'adapter'),
      application: await selectAllOverrides(db, 'application'),
    },
    pending: (await selectCommits(db)).map(withoutPrevious),
    storeAheadMs: await storeAheadMs(db),
    ...(profile && { profile }),
  };
}

async function activate(
  db: Write,
  profile: string | undefined,
  note: ChangeNote,
): Promise<Activation | undefined> {
  if (profile !== undefined && !(await selectRecord(db, 'profile', profile))) unchanged(undefined);
  const { activeProfile } = await selectPlatform(db);
  const name = profile ?? activeProfile ?? '';
  const replaced = await noteCommit(
    db,
    { key: { kind: 'activation', name }, previous: { profile: activeProfile } },
    note,
  );
  await setActiveProfile(db, profile ?? null);
  const action = profile === undefined ? 'deactivated' : 'activated';
  await insertAct(
    db,
    { about: { kind: 'profile', name }, action: note.action === 'reverted' ? 'reverted' : action },
    note,
  );
  return { previous: activeProfile ?? undefined, replaced };
}

/**
 * Ends the pending commits with these keys, all or none. `end` returns the results of a commit; undefined if the commit stays.
 * Changes nothing if no commit ends.
 */
async function endCommits<Result>(
  db: Write,
  keys: readonly CommitKey[],
  end: (commit: ConfirmedCommit) => Promise<readonly Result[]> | undefined,
): Promise<readonly Result[]> {
  const ended: (readonly Result[])[] = [];
  for (const key of keys) {
    const commit = await selectCommit(db, key);
    if (commit?.name !== key.name) continue;
    // Each end is an act of its own.
    if (ended.length > 0) await increaseRevision(db);
    const results = await end(commit);
    if (results) ended.push(results);
  }
  return ended.length === 0 ? unchanged([]) : ended.flat();
}

async function confirm(db: Write, commit: ConfirmedCommit, note: ChangeNote): Promise<ConfirmedCommit> {
  await deleteCommit(db, commit);
  await insertAct(db, { about: targetOf(commit), action: 'confirmed' }, note);
  return commit;
}

/** Undoes a confirmed commit. Returns nothing if its record does not exist. */
async function revert(
  db: Write,
  commit: ConfirmedCommit,
  note: ChangeNote,
): Promise<readonly RevertedCommit[]> {
  await deleteCommit(db, commit);
  const { kind, name, previous } = commit;
  const undo = { ...note, action: 'reverted' } as const;
  if (kind === 'activation' || 'profile' in previous)
    return [{ commit: withoutPrevious(commit), ...(await revertActivation(db, commit, undo)) }];
  const record = await selectRecord(db, kind, name);
  if (!record) return [];
  const next = await writeDocument(
    db,
    { kind, action: 'updated', record },
    { document: previous.document, note: undo },
  );
  return [{ commit: withoutPrevious(commit), before: record.document, after: next.document }];
}

async function revertActivation(
  db: Write,
  { name, previous }: ConfirmedCommit,
  note: ChangeNote,
): Promise<Pick<RevertedCommit, 'before' | 'after'>> {
  const wanted = 'profile' in previous ? previous.profile : null;
  const profile = wanted !== null && (await selectRecord(db, 'profile', wanted)) ? wanted : null;
  const { activeProfile } = await selectPlatform(db);
  await setActiveProfile(db, profile);
  await insertAct(db, { about: { kind: 'profile', name }, action: 'reverted' }, note);
  return { before: activeProfile, after: profile };
}

function targetOf({ kind, name }: CommitKey): {
  readonly kind: 'adapter' | 'profile';
  readonly name: string;
} {
  return { kind: kind === 'adapter' ? 'adapter' : 'profile', name };
}
