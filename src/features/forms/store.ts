import { Problem } from '../../core/problem.js';
import { readStoredJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';
import type { Connection } from '../../storage/connection.js';
import { isUniqueViolation } from '../../storage/failure.js';
import type { Database, Write } from '../../storage/tables.js';
import { lockForWrite, mapDriverErrors, readerOf, writerOf } from '../../storage/transactions.js';
import { formHeads, formPages } from './form-pages.js';
import type { Form, FormLimits, FormStore, FormVersion, StoredForm, FormRevisions } from './form-store.js';

export function formStore(connection: Connection): FormStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    create: (form, { maxForms }) => write((db) => create(db, form, maxForms)),
    find: (key) => read(unlessNul(key, (db) => selectForm(db, key))),
    heads: () => formHeads(read),
    list: (heads = formHeads(read)) => formPages(read, heads),
    update: (key, change, limits) => write(unlessNul(key, (db) => update(db, { key, change }, limits))),
    remove: (ids) => (ids.length === 0 ? Promise.resolve(0) : write((db) => remove(db, ids))),
    import: (forms, { maxForms }) => write((db) => importForms(db, forms, maxForms)),
    restore: (forms, { skip }) => mapDriverErrors(connection.use((db) => restore(db, forms, skip))),
    versions: (key) => read(unlessNul(key, (db) => versions(db, key))),
    revisions: (key) => read(unlessNul(key, (db) => selectRevisions(db, key))),
    version: (id, revision) => read(unlessNul(id, (db) => selectVersion(db, id, revision))),
  };
}

/** Skips the work if the key contains NUL: no name contains NUL, and PostgreSQL rejects it. */
function unlessNul<Db, Result>(
  key: string,
  work: (db: Db) => Promise<Result | undefined>,
): (db: Db) => Promise<Result | undefined> {
  return key.includes('\0') ? () => Promise.resolve(undefined) : work;
}

async function create(db: Write, form: Form, maxForms: number): Promise<boolean> {
  const created = await insertForm(db, form);
  if (created) await enforceLimit(db, maxForms);
  return created;
}

/** Throws `too_many_forms` if there are more than `maxForms`; the error rolls the transaction back. */
async function enforceLimit(db: Write, maxForms: number): Promise<void> {
  if ((await countForms(db)) > maxForms)
    throw new Problem('too_many_forms', `There would be more than ${maxForms} forms.`);
}

interface FormChange {
  readonly key: string;
  readonly change: (previous: Form) => Form;
}

async function update(db: Write, { key, change }: FormChange, limits: FormLimits): Promise<Form | undefined> {
  const previous = await beginFormRevision(db, key);
  if (!previous) return undefined;
  const next = change(readStoredJson(previous.json) as Form);
  await insertVersion(db, { ...previous, revision: previous.revision - 1 }, limits.maxVersions);
  try {
    await updateDocument(db, next);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTakenProblem(next.name, error) : error;
  }
  return next;
}

async function versions(db: Database, key: string): Promise<readonly FormVersion[] | undefined> {
  const form = await selectForm(db, key);
  return form && selectVersions(db, form.id);
}

/** Maximum number of ids per statement; SQLite accepts 32,766 values. */
const IDS_PER_STATEMENT = 10_000;

async function remove(db: Write, ids: readonly string[]): Promise<number> {
  let removed = 0;
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT)
    removed += await deleteForms(db, ids.slice(at, at + IDS_PER_STATEMENT));
  return removed;
}

async function importForms(db: Write, forms: readonly Form[], maxForms: number): Promise<readonly Form[]> {
  // The lock prevents a deadlock between two imports that insert the same names in opposite orders.
  await lockForWrite(db, 'import');
  const names = new FreeNameFinder(db);
  const imported: Form[] = [];
  for (const form of forms) imported.push(await importForm(db, form, names));
  await enforceLimit(db, maxForms);
  return imported;
}

async function importForm(db: Write, form: Form, names: FreeNameFinder): Promise<Form> {
  for (let next = form; ; next = { ...form, name: await names.find(form.name) }) {
    if (await insertForm(db, next)) return next;
  }
}

/** Maximum length of a form name, in characters. */
const MAX_NAME_LENGTH = 512;

/** Number of candidate names that one query checks. */
const NAMES_PER_QUERY = 64;

/**
 * Finds the first of `name (1)`, `name (2)`, ... that is not taken. Shortens the name if the result would be
 * too long. Remembers the last number, so that thousands of forms with the same name do not each start at 1.
 */
class FreeNameFinder {
  readonly #db: Write;
  readonly #nextNumber = new Map<string, number>();

  constructor(db: Write) {
    this.#db = db;
  }

  async find(name: string): Promise<string> {
    for (let first = this.#nextNumber.get(name) ?? 1; ; first += NAMES_PER_QUERY) {
      const names = Array.from({ length: NAMES_PER_QUERY }, (_, at) => numbered(name, first + at));
      const taken = await selectTakenNames(this.#db, names);
      const at = names.findIndex((candidate) => !taken.has(candidate));
      const free = names[at];
      if (free === undefined) continue;
      this.#nextNumber.set(name, first + at + 1);
      return free;
    }
  }
}

/** Appends a number to a name, and shortens the name if the result would be too long. */
function numbered(name: string, number: number): string {
  const suffix = ` (${number})`;
  return (
    Array.from(name)
      .slice(0, MAX_NAME_LENGTH - suffix.length)
      .join('') + suffix
  );
}

async function restore(db: Database, forms: AsyncIterable<Form>, skip: boolean): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let restored = 0;
    for await (const form of forms) {
      if (await insertForm(transaction, form)) restored += 1;
      else if (!skip) throw nameTakenProblem(form.name);
    }
    return restored;
  });
}

function nameTakenProblem(name: string, cause?: unknown): Problem {
  return new Problem('form_name_taken', `A form with the name "${name}" already exists.`, { cause });
}

/** Inserts a form. Returns false, without a change, if its name or its id already exists. */
export async function insertForm(db: Database, form: Form): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('forms')
    .values({ id: form.id, name: form.name, document: jsonText(form) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Returns the form with this id; otherwise, the form with this name. */
async function selectForm(db: Database, key: string): Promise<StoredForm | undefined> {
  const rows = await db
    .selectFrom('forms')
    .select(['id', 'document as json'])
    .where((where) => where.or([where('id', '=', key), where('name', '=', key)]))
    .execute();
  return rows.find(({ id }) => id === key) ?? rows[0];
}

async function countForms(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('forms')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns those of the names that are taken. */
async function selectTakenNames(db: Database, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('forms').select('name').where('name', 'in', names).execute();
  return new Set(rows.map(({ name }) => name));
}

/**
 * Increments the revision of a form, and returns the form. The row is then locked until the transaction ends,
 * so that no concurrent change is lost.
 */
async function beginFormRevision(
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

async function updateDocument(db: Write, form: Form): Promise<void> {
  await db
    .updateTable('forms')
    .set({ name: form.name, document: jsonText(form) })
    .where('id', '=', form.id)
    .execute();
}

/** Deletes forms with their earlier versions. Returns the number of deleted forms. */
async function deleteForms(db: Database, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('forms').where('id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Stores an earlier version, and removes all but the newest `maxVersions` versions of the form. */
async function insertVersion(
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
async function selectVersions(db: Database, id: string): Promise<readonly FormVersion[]> {
  return db
    .selectFrom('formVersions')
    .select(['revision', 'document as json'])
    .where('formId', '=', id)
    .orderBy('revision', 'desc')
    .execute();
}

/** Returns the numbers of the versions of a form, without reading a document. */
async function selectRevisions(db: Database, key: string): Promise<FormRevisions | undefined> {
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

async function selectVersion(db: Database, id: string, revision: number): Promise<FormVersion | undefined> {
  return db
    .selectFrom('formVersions')
    .select(['revision', 'document as json'])
    .where('formId', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
}
