import { isAscii } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './tables.js';
import { isPostgres, type ReadTransaction } from './transactions.js';

/** Maximum size of a page with several forms. A page must not block the process for long. */
export const MAX_PAGE_BYTES = 1_048_576;

/** Number of forms whose sizes are read at once. */
const FORMS_PER_SIZE_QUERY = 500;

/**
 * Yields the JSON of all forms in pages, oldest first. Reads the next page while the caller uses the previous one. A
 * page of small forms has many of them, and a form that is larger than a page has its own.
 */
export async function* formPages(read: ReadTransaction): AsyncGenerator<readonly string[]> {
  const pages = readPages(read);
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

async function* readPages(read: ReadTransaction): AsyncGenerator<readonly string[], undefined> {
  for (let after = ''; ;) {
    const sizes = await read((db) => selectSizes(db, after));
    for (const range of pageRanges(after, sizes)) {
      const page = await read((db) => selectPage(db, range));
      if (page.length > 0) yield page;
    }
    const last = sizes.at(-1);
    if (!last) return undefined;
    after = last.id;
  }
}

/** Size of a form as JSON. */
export interface FormSize {
  readonly id: string;
  readonly bytes: number;
}

/** Forms with ids after one id, up to another. */
interface PageRange {
  readonly after: string;
  readonly last: string;
  readonly count: number;
}

/** Divides forms into pages: as many as fit, at least one. */
export function* pageRanges(after: string, sizes: readonly FormSize[]): Generator<PageRange> {
  for (let start = 0; start < sizes.length;) {
    let end = start + 1;
    let total = sizes[start]?.bytes ?? 0;
    for (; end < sizes.length; end += 1) {
      total += sizes[end]?.bytes ?? 0;
      if (total > MAX_PAGE_BYTES) break;
    }
    yield { after: sizes[start - 1]?.id ?? after, last: sizes[end - 1]?.id ?? after, count: end - start };
    start = end;
  }
}

/** Returns the sizes of the forms with a higher id than `after`, without reading their documents. */
async function selectSizes(db: Database, after: string): Promise<readonly FormSize[]> {
  return db
    .selectFrom('forms')
    .select(['id', sql<number>`octet_length(document)`.as('bytes')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(FORMS_PER_SIZE_QUERY)
    .execute();
}

/** Separates the documents of a page: character 10, which `JSON.stringify` never writes. */
const SEPARATOR = '\n';

async function selectPage(db: Database, range: PageRange): Promise<readonly string[]> {
  const forms = selectDocuments(db, range);
  if (isPostgres(db)) return (await forms.execute()).map(({ json }) => json);
  // The thread of SQLite hands over one block of bytes without a copy, and each document becomes a part of one long
  // string. As rows, each document would be copied twice between the threads, and again by the garbage collector. The
  // subquery keeps its order, because it has a limit.
  const { rows } = await sql<{ page: Uint8Array<ArrayBuffer> | null }>`
    select cast(group_concat(json, char(10)) as blob) as page from (${forms})`.execute(db);
  const page = rows[0]?.page;
  return page ? textOf(Buffer.from(page.buffer)).split(SEPARATOR) : [];
}

function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

function selectDocuments(db: Database, { after, last, count }: PageRange) {
  return db
    .selectFrom('forms')
    .select('document as json')
    .where('id', '>', after)
    .where('id', '<=', last)
    .orderBy('id')
    .limit(count);
}
