import type { Form, FormVersion, StoredForm } from '../core/form.js';
import type { Database, Write } from './tables.js';

/** Inserts a form; false if its name (or its id) already exists. */
export async function insertForm(db: Database, form: Form): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('forms')
    .values({ id: form.id, name: form.name, document: JSON.stringify(form) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Returns the form with this id, otherwise the form with this name. */
export async function selectForm(db: Database, key: string): Promise<StoredForm | undefined> {
  const rows = await db
    .selectFrom('forms')
    .select(['id', 'document as json'])
    .where((where) => where.or([where('id', '=', key), where('name', '=', key)]))
    .execute();
  return rows.find(({ id }) => id === key) ?? rows[0];
}

/** Returns a page of documents after an id, sorted by id. */
export async function selectPage(
  db: Database,
  { behind, limit }: { readonly behind: string; readonly limit: number },
): Promise<readonly StoredForm[]> {
  return db
    .selectFrom('forms')
    .select(['id', 'document as json'])
    .where('id', '>', behind)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns the number of forms. */
export async function countForms(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('forms')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the names that are taken. */
export async function selectTaken(db: Database, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('forms').select('name').where('name', 'in', names).execute();
  return new Set(rows.map(({ name }) => name));
}

/**
 * Increments the revision and locks the form until the transaction ends. Reading the form before that could
 * lose concurrent changes.
 */
export async function beginRevision(
  db: Write,
  key: string,
): Promise<(StoredForm & { readonly revision: number }) | undefined> {
  for (const column of ['id', 'name'] as const) {
    const row = await db
      .updateTable('forms')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .where(column, '=', key)
      .returning(['id', 'revision', 'document as json'])
      .executeTakeFirst();
    if (row) return row;
  }
  return undefined;
}

/** Replaces the document of a form. */
export async function updateDocument(db: Write, form: Form): Promise<void> {
  await db
    .updateTable('forms')
    .set({ name: form.name, document: JSON.stringify(form) })
    .where('id', '=', form.id)
    .execute();
}

/** Stores an earlier version, and keeps at most `most` versions of the form. */
export async function insertVersion(
  db: Write,
  previous: StoredForm & { readonly revision: number },
  most: number,
): Promise<void> {
  const { id, revision, json } = previous;
  if (most > 0)
    await db.insertInto('formVersions').values({ formId: id, revision, document: json }).execute();
  await db
    .deleteFrom('formVersions')
    .where('formId', '=', id)
    .where('revision', '<=', revision - most)
    .execute();
}

/** Returns the earlier versions of a form, newest first. */
export async function selectVersions(db: Database, id: string): Promise<readonly FormVersion[]> {
  return db
    .selectFrom('formVersions')
    .select(['revision', 'document as json'])
    .where('formId', '=', id)
    .orderBy('revision', 'desc')
    .execute();
}

/** Deletes forms with their earlier versions; resolves to the number of deleted forms. */
export async function deleteForms(db: Database, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('forms').where('id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}
