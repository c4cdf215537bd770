import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../storage/tables.js';
import { isPostgres, type ReadTransaction } from '../../storage/transactions.js';
import type { FormHead } from './form-store.js';

/** Maximum size of a page with several forms. A page must not block the process for long. */
export const MAX_PAGE_BYTES = 1_048_576;

/** Number of forms whose heads are read at once. */
const HEADS_PER_QUERY = 500;

/** Yields the heads of all forms, oldest first, without reading their documents. */
export async function* formHeads(read: ReadTransaction): AsyncGenerator<readonly FormHead[]> {
  for (let after = ''; ;) {
    const heads = await read((db) => selectHeads(db, after));
    const last = heads.at(-1);
    if (!last) return;
    yield heads;
    after = last.id;
  }
}

/**
 * Yields the documents of forms in pages of lines, in their order. Reads the next page while the caller uses the previous
 * one. A page of small forms has many of them, and a form that is larger than a page has its own.
 */
export async function* formPages(
  read: ReadTransaction,
  heads: AsyncIterable<readonly FormHead[]>,
): AsyncGenerator<Buffer> {
  const pages = readPages(read, heads);
  for (let next = pages.next(); ;) {
    const { done, value } = await next;
    if (done === true) return;
    next = pages.next();
    // A caller who takes no further page does not see that reading it failed.
    next.catch(() => undefined);
    yield value;
    await setImmediate();
  }
}

async function* readPages(
  read: ReadTransaction,
  heads: AsyncIterable<readonly FormHead[]>,
): AsyncGenerator<Buffer, undefined> {
  for await (const some of heads) {
    for (const ids of pagesOf(some)) {
      const page = await read((db) => selectPage(db, ids));
      if (page.length > 0) yield page;
    }
  }
}

/** Divides forms into pages, and yields the ids of each: as many as fit, at least one. */
export function* pagesOf(heads: readonly FormHead[]): Generator<readonly string[]> {
  let ids: string[] = [];
  let total = 0;
  for (const { id, bytes } of heads) {
    total += bytes;
    if (ids.length > 0 && total > MAX_PAGE_BYTES) {
      yield ids;
      [ids, total] = [[], bytes];
    }
    ids.push(id);
  }
  if (ids.length > 0) yield ids;
}

async function selectHeads(db: Database, after: string): Promise<readonly FormHead[]> {
  const heads = db
    .selectFrom('forms')
    .select(['id', 'name', sql<number>`octet_length(document)`.as('bytes')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(HEADS_PER_QUERY);
  if (isPostgres(db)) return heads.execute();
  // One text passes between the threads at less cost than many rows. The subquery keeps its order, because it has a limit.
  const { rows } = await sql<{ heads: string }>`
    select json_group_array(json_object('id', id, 'name', name, 'bytes', bytes)) as heads from (${heads})`.execute(
    db,
  );
  return rows.flatMap((row) => JSON.parse(row.heads) as FormHead[]);
}

const NO_FORMS = Buffer.alloc(0);

/** Returns the documents of the forms with these ids, in lines: `JSON.stringify` writes no line break. */
async function selectPage(db: Database, ids: readonly string[]): Promise<Buffer> {
  if (isPostgres(db)) {
    const { rows } = await sql<{ json: string }>`
      select document as json from forms where id = any(${ids}) order by id`.execute(db);
    return Buffer.from(rows.map(({ json }) => json).join('\n'));
  }
  // The thread of SQLite hands over one block of bytes without a copy. As rows, each document would be copied twice
  // between the threads, and again by the garbage collector.
  const { rows } = await sql<{ page: Uint8Array<ArrayBuffer> | null }>`
    select cast(group_concat(json, char(10)) as blob) as page from (
      select document as json from forms
      where id in (select value from json_each(${JSON.stringify(ids)})) order by id limit ${ids.length}
    )`.execute(db);
  const page = rows[0]?.page;
  return page ? Buffer.from(page.buffer, page.byteOffset, page.byteLength) : NO_FORMS;
}
