import type { FormRevisions, FormVersion, StoredForm } from '../../core/form.js';
import type { Database, Write } from '../../storage/tables.js';

/** Stores an earlier version, and removes all but the newest `maxVersions` versions of the form. */
export async function insertVersion(
  db: Write,
  previous: StoredForm & { readonly revision: number },
  maxVersions: number,
): Promise<void> {
  const { id, revision, json } = previous;
  if (maxVersions > 0)
    await db.insertInto('formVersions').values({ formId: id, revision, document: json }).execute();
  await db
    .deleteFrom('formVersions')
    .where('formId', '=', id)
    .where('revision', '<=', revision - maxVersions)
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

/** Returns the numbers of the versions of a form, without reading a document. */
export async function selectRevisions(db: Database, key: string): Promise<FormRevisions | undefined> {
  const rows = await db
    .selectFrom('forms')
    .select(['id', 'revision'])
    .where((where) => where.or([where('id', '=', key), where('name', '=', key)]))
    .execute();
  const form = rows.find(({ id }) => id === key) ?? rows[0];
  if (!form) return undefined;
  const earlier = await db
    .selectFrom('formVersions')
    .select('revision')
    .where('formId', '=', form.id)
    .orderBy('revision', 'desc')
    .execute();
  return { id: form.id, current: form.revision, earlier: earlier.map(({ revision }) => revision) };
}

export async function selectVersion(
  db: Database,
  id: string,
  revision: number,
): Promise<FormVersion | undefined> {
  return db
    .selectFrom('formVersions')
    .select(['revision', 'document as json'])
    .where('formId', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
}
