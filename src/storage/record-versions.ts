import { sql } from 'kysely';
import type { NamedRecord } from '../core/platform-state.js';
import type {
  ActTarget,
  Author,
  ChangeNote,
  OperatorAct,
  RecordAction,
  RecordKind,
  RecordVersion,
  RecordVersionDocument,
  RemovedRecord,
  VersionPage,
} from '../core/record-history.js';
import type { BigInteger, Database, Write } from './tables.js';

/** Maximum number of versions that the store keeps of a record. */
export const MAX_RECORD_VERSIONS = 100;

/** Maximum number of deleted records of one kind whose versions the store keeps. */
const MAX_REMOVED_RECORDS = 500;

/** Time for which the store keeps the acts of operators, in milliseconds: 7 days. */
export const ACT_RETENTION_MS = 7 * 86_400_000;

/** Maximum number of acts of operators that the store keeps. */
const MAX_ACTS = 5_000;

/** Stores a version of a record, and deletes the oldest versions above the limits. */
export async function insertVersion(
  db: Write,
  { kind, action }: { readonly kind: RecordKind; readonly action: RecordAction },
  { record, note }: { readonly record: Omit<NamedRecord, 'id'>; readonly note: ChangeNote },
): Promise<void> {
  const { name, revision, document } = record;
  await db
    .insertInto('recordVersions')
    .values({
      kind,
      name,
      revision,
      action,
      at: note.at,
      author: formatAuthor(note.by),
      comment: note.comment ?? null,
      restores: note.restores ?? null,
      document: JSON.stringify(document),
    })
    .execute();
  const oldest = await versionRows(db, kind, name)
    .select('revision')
    .offset(MAX_RECORD_VERSIONS)
    .limit(1)
    .executeTakeFirst();
  if (oldest)
    await db
      .deleteFrom('recordVersions')
      .where('kind', '=', kind)
      .where('name', '=', name)
      .where('revision', '<=', oldest.revision)
      .execute();
  if (action === 'removed') await deleteOldestRemoved(db, kind);
}

/** Returns one page of the versions of a record, newest first; undefined without any. */
export async function selectVersions(
  db: Database,
  { kind, name }: { readonly kind: RecordKind; readonly name: string },
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<VersionPage | undefined> {
  const { total } = await db
    .selectFrom('recordVersions')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  if (Number(total) === 0) return undefined;
  const rows = await versionRows(db, kind, name)
    .select(['revision', 'action', 'at', 'author', 'comment', 'restores'])
    .offset(skip)
    .limit(limit)
    .execute();
  return { total: Number(total), versions: rows.map(versionOf) };
}

export async function selectVersion(
  db: Database,
  { kind, name }: { readonly kind: RecordKind; readonly name: string },
  revision: number,
): Promise<RecordVersionDocument | undefined> {
  const row = await versionRows(db, kind, name)
    .selectAll()
    .where('revision', '=', revision)
    .executeTakeFirst();
  return row && { ...versionOf(row), document: JSON.parse(row.document) as NamedRecord['document'] };
}

/** Returns the deleted records whose versions are stored, the last deleted record first. */
export async function selectRemoved(db: Database, kind: RecordKind): Promise<readonly RemovedRecord[]> {
  const rows = await removedRows(db, kind).select(['name', 'revision', 'at', 'author', 'comment']).execute();
  return rows.map(({ name, revision, at, author, comment }) => ({
    name,
    revision,
    comment,
    at: numberOrNull(at),
    by: parseAuthor(author),
  }));
}

/** Selects the last versions of the deleted records, the last deleted record first. */
function removedRows(db: Database, kind: RecordKind) {
  return (
    db
      .selectFrom('recordVersions')
      .where('kind', '=', kind)
      // A literal, so that the planner can use the partial index.
      .where('action', '=', sql<'removed'>`'removed'`)
      .where((query) =>
        query.not(
          query.exists(
            query
              .selectFrom('recordVersions as later')
              .select('later.revision')
              .where('later.kind', '=', kind)
              .whereRef('later.name', '=', 'recordVersions.name')
              .whereRef('later.revision', '>', 'recordVersions.revision'),
          ),
        ),
      )
      .orderBy('revision', 'desc')
  );
}

async function deleteOldestRemoved(db: Write, kind: RecordKind): Promise<void> {
  const tooOld = await removedRows(db, kind)
    .select('name')
    .offset(MAX_REMOVED_RECORDS)
    // SQLite needs a limit for an offset.
    .limit(MAX_REMOVED_RECORDS)
    .execute();
  for (const { name } of tooOld)
    await db.deleteFrom('recordVersions').where('kind', '=', kind).where('name', '=', name).execute();
}

function versionRows(db: Database, kind: RecordKind, name: string) {
  return db
    .selectFrom('recordVersions')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .orderBy('revision', 'desc');
}

interface VersionRow extends Omit<RecordVersion, 'at' | 'by'> {
  readonly at: BigInteger | null;
  readonly author: string | null;
}

function versionOf({ revision, action, at, author, comment, restores }: VersionRow): RecordVersion {
  return { revision, action, at: numberOrNull(at), by: parseAuthor(author), comment, restores };
}

/** An act without its time and author, which its note has. */
interface ActEntry {
  readonly about: ActTarget;
  readonly action: OperatorAct['action'];
  readonly until?: number | undefined;
  readonly detail?: string | undefined;
}

/**
 * Stores an act under the current revision of the state, and deletes expired acts. A revision has at most
 * one act. An act without a time is not stored.
 */
export async function insertAct(
  db: Write,
  { about, action, ...act }: ActEntry,
  note: ChangeNote,
): Promise<void> {
  const { at, by, comment } = note;
  if (at === null) return;
  const { revision } = await db.selectFrom('platform').select('revision').executeTakeFirstOrThrow();
  await db
    .insertInto('operatorActs')
    .values({
      revision,
      at,
      action,
      ...about,
      author: formatAuthor(by),
      reason: comment ?? null,
      until: act.until ?? note.confirmBy ?? null,
      detail: act.detail ?? null,
    })
    .execute();
  await db
    .deleteFrom('operatorActs')
    .where('at', '<', at - ACT_RETENTION_MS)
    .execute();
  // The revisions of acts have gaps, so fewer acts than the limit may remain.
  await db
    .deleteFrom('operatorActs')
    .where('revision', '<=', revision - MAX_ACTS)
    .execute();
}

/** Returns the acts at or after a time, oldest first. */
export async function selectActs(db: Database, from: number): Promise<readonly OperatorAct[]> {
  const rows = await db
    .selectFrom('operatorActs')
    .selectAll()
    .where('at', '>=', from)
    .orderBy('at')
    .orderBy('revision')
    .execute();
  return rows.map(({ at, kind, name, action, author, reason, until, detail }) => ({
    at: Number(at),
    about: { kind, name },
    action,
    reason,
    detail,
    by: parseAuthor(author),
    until: numberOrNull(until),
  }));
}

export function formatAuthor(author: Author | null): string | null {
  return author && JSON.stringify(author);
}

/** Parses an author that `formatAuthor` wrote. */
export function parseAuthor(json: string | null): Author | null {
  return json === null ? null : (JSON.parse(json) as Author);
}

function numberOrNull(value: BigInteger | null): number | null {
  return value === null ? null : Number(value);
}
