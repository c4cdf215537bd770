import { setImmediate } from 'node:timers/promises';
import type { Form, FormLimits, FormStore, FormVersion, StoredForm } from '../core/form.js';
import { Problem } from '../core/problem.js';
import { readerOf, mapDriverErrors, writerOf } from './access.js';
import type { Connection } from './connection.js';
import { lockForWrite } from './dialect.js';
import { isTaken } from './failure.js';
import {
  beginRevision,
  countForms,
  deleteForms,
  insertForm,
  insertVersion,
  selectForm,
  selectPage,
  selectVersions,
  updateDocument,
  selectTaken,
} from './forms-table.js';
import type { Database, Write } from './tables.js';

/** Maximum length of a name, in characters. */
export const NAME_LENGTH = 512;

/** Number of names that one query checks. */
const ASKED = 64;

/**
 * Finds the first of `name (1)`, `name (2)`, ... that is not taken, shortened if it would be too long.
 * Remembers the last number, so that thousands of forms with one name do not each start at 1.
 */
class FreeNames {
  readonly #db: Write;
  readonly #next = new Map<string, number>();

  constructor(db: Write) {
    this.#db = db;
  }

  async find(name: string): Promise<string> {
    for (let first = this.#next.get(name) ?? 1; ; first += ASKED) {
      const names = Array.from({ length: ASKED }, (_, at) => numbered(name, first + at));
      const taken = await selectTaken(this.#db, names);
      const at = names.findIndex((candidate) => !taken.has(candidate));
      const free = names[at];
      if (free === undefined) continue;
      this.#next.set(name, first + at + 1);
      return free;
    }
  }
}

function numbered(name: string, number: number): string {
  const suffix = ` (${number})`;
  return (
    Array.from(name)
      .slice(0, NAME_LENGTH - suffix.length)
      .join('') + suffix
  );
}

/**
 * Number of forms per page of the list. The largest forms arrive from another thread too, and must not block
 * the process.
 */
const PAGE = 8;

/** Creates the form store of an open database. */
export function formStore(connection: Connection): FormStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    create: (form, { maxForms }) => write((db) => create(db, form, maxForms)),
    find: (key) => read(ifName(key, (db) => selectForm(db, key))),
    list: () => pages((behind) => read((db) => selectPage(db, { behind, limit: PAGE }))),
    update: (key, change, limits) => write(ifName(key, (db) => update(db, { key, change }, limits))),
    remove: (ids) => (ids.length === 0 ? Promise.resolve(0) : write((db) => remove(db, ids))),
    import: (forms, { maxForms }) => write((db) => importForms(db, forms, maxForms)),
    restore: (forms, { skip }) => mapDriverErrors(connection.use((db) => restore(db, forms, skip))),
    versions: (key) => read(ifName(key, (db) => versions(db, key))),
  };
}

/** Skips the work if the key contains NUL, which PostgreSQL rejects and no name contains. */
function ifName<Db, Result>(
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

/** Throws if there are too many forms, including the new ones; the error rolls the transaction back. */
async function enforceLimit(db: Write, maxForms: number): Promise<void> {
  if ((await countForms(db)) > maxForms)
    throw new Problem('too_many_forms', `There would be more than ${maxForms} forms.`);
}

interface Change {
  readonly key: string;
  readonly change: (previous: Form) => Form;
}

async function update(db: Write, { key, change }: Change, limits: FormLimits): Promise<Form | undefined> {
  const begun = await beginRevision(db, key);
  if (!begun) return undefined;
  const next = change(JSON.parse(begun.json) as Form);
  await insertVersion(db, { ...begun, revision: begun.revision - 1 }, limits.maxVersions);
  try {
    await updateDocument(db, next);
  } catch (error) {
    throw isTaken(error) ? nameTaken(next.name, error) : error;
  }
  return next;
}

async function versions(db: Database, key: string): Promise<readonly FormVersion[] | undefined> {
  const form = await selectForm(db, key);
  return form && selectVersions(db, form.id);
}

/** Maximum number of values per statement; SQLite accepts 32,766. */
const BATCH = 10_000;

async function remove(db: Write, ids: readonly string[]): Promise<number> {
  let removed = 0;
  for (let at = 0; at < ids.length; at += BATCH) removed += await deleteForms(db, ids.slice(at, at + BATCH));
  return removed;
}

async function importForms(db: Write, forms: readonly Form[], maxForms: number): Promise<readonly Form[]> {
  // Prevents a deadlock between two imports that take names in opposite orders.
  await lockForWrite(db, 'import');
  const names = new FreeNames(db);
  const imported: Form[] = [];
  for (const form of forms) imported.push(await importForm(db, form, names));
  await enforceLimit(db, maxForms);
  return imported;
}

async function importForm(db: Write, form: Form, names: FreeNames): Promise<Form> {
  for (let next = form; ; next = { ...form, name: await names.find(form.name) }) {
    if (await insertForm(db, next)) return next;
  }
}

async function restore(db: Database, forms: AsyncIterable<Form>, skip: boolean): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let restored = 0;
    for await (const form of forms) {
      if (await insertForm(transaction, form)) restored += 1;
      else if (!skip) throw nameTaken(form.name);
    }
    return restored;
  });
}

function nameTaken(name: string, cause?: unknown): Problem {
  return new Problem('form_name_taken', `There is a form "${name}" already.`, { cause });
}

/** Yields page after page, until a page is not full. */
async function* pages(
  read: (behind: string) => Promise<readonly StoredForm[]>,
): AsyncGenerator<readonly string[]> {
  for (let behind = '', full = true; full;) {
    const page = await read(behind);
    full = page.length === PAGE;
    behind = page.at(-1)?.id ?? '';
    if (page.length > 0) yield page.map(({ json }) => json);
    await setImmediate();
  }
}
