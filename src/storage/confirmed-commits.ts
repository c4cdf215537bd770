import {
  type ChangeNote,
  type CommitKey,
  type ConfirmedCommit,
  type PendingCommit,
  requireAuthor,
} from '../core/record-history.js';
import { formatAuthor, parseAuthor } from './record-versions.js';
import { storeTime } from './store-time.js';
import type { Database, Tables, Write } from './tables.js';

/** Returns the changes that wait for their confirmation, sorted by kind and name. */
export async function selectCommits(db: Database): Promise<readonly ConfirmedCommit[]> {
  const rows = await db.selectFrom('confirmedCommits').selectAll().orderBy('kind').orderBy('name').execute();
  return rows.map(commitOf);
}

/** Returns the confirmed commit of a record, or the activation, whatever its name. */
export async function selectCommit(
  db: Database,
  { kind, name }: CommitKey,
): Promise<ConfirmedCommit | undefined> {
  const rows = db.selectFrom('confirmedCommits').selectAll().where('kind', '=', kind);
  const row = await (kind === 'activation' ? rows : rows.where('name', '=', name)).executeTakeFirst();
  return row && commitOf(row);
}

/** Returns a pending commit without the state to which it returns. */
export function withoutPrevious({ previous: _previous, ...commit }: ConfirmedCommit): PendingCommit {
  return commit;
}

/**
 * Applies the rules of confirmed commits to a change (RFC 6241 section 8.4): another caller's change is
 * refused while a commit is pending; a change of the same author confirms it, or extends it if the change must
 * be confirmed itself. The extended commit still returns to the state before its first change. Returns the
 * commit that was pending.
 */
export async function noteCommit(
  db: Write,
  { key, previous }: { readonly key: CommitKey; readonly previous: ConfirmedCommit['previous'] },
  note: ChangeNote,
): Promise<ConfirmedCommit | undefined> {
  const pending = await selectCommit(db, key);
  if (pending && note.action !== 'reverted') requireAuthor(pending, note);
  if (pending) await deleteCommit(db, pending);
  const { at, by, comment = null, confirmBy } = note;
  if (note.action === 'reverted') {
    if (note.commit) await insertCommit(db, note.commit);
  } else if (confirmBy !== undefined && at !== null) {
    // The deadline is a time of the database, which all nodes share: the clock of the caller's node may differ.
    const now = await storeTime(db, at);
    await insertCommit(db, {
      ...key,
      by,
      at: now,
      comment,
      until: now + confirmBy - at,
      previous: pending?.previous ?? previous,
    });
  }
  return pending;
}

/** Deletes a confirmed commit; its change stays. */
export async function deleteCommit(db: Write, { kind, name }: CommitKey): Promise<void> {
  await db.deleteFrom('confirmedCommits').where('kind', '=', kind).where('name', '=', name).execute();
}

async function insertCommit(db: Write, { by, previous, ...commit }: ConfirmedCommit): Promise<void> {
  await db
    .insertInto('confirmedCommits')
    .values({ ...commit, author: formatAuthor(by), previous: JSON.stringify(previous) })
    .execute();
}

type CommitRow = Pick<Tables['confirmedCommits'], 'kind' | 'name' | 'author' | 'comment' | 'previous'> & {
  readonly at: number | string;
  readonly until: number | string;
};

function commitOf({ kind, name, at, until, author, comment, previous }: CommitRow): ConfirmedCommit {
  return {
    kind,
    name,
    comment,
    by: parseAuthor(author),
    at: Number(at),
    until: Number(until),
    previous: JSON.parse(previous) as ConfirmedCommit['previous'],
  };
}
