import { setImmediate } from 'node:timers/promises';
import { chained } from '../core/audit-chain.js';
import { type AuditPage, type AuditQuery, beginPage } from '../core/audit-query.js';
import type { AuditRow, AuditStore } from '../core/audit-store.js';
import { Problem } from '../core/problem.js';
import { insertLinks, reserveLinks, selectChain, selectNewest, selectOldest } from './audit-table.js';
import type { Connection } from './connection.js';
import { storeFailure } from './failure.js';

/** Number of rows read at a time, so that the process does not block for long. */
const BLOCK = 500;

/** Maximum number of rows that one search reads. */
const SEARCHED = 50_000;

/** Creates the audit store of an open database. */
export function auditStore(connection: Connection): AuditStore {
  const chain = () => connection.use(selectChain);
  return {
    key: async () => (await chain()).key,
    head: async () => {
      const { seq, hash } = await chain();
      return { seq, hash };
    },
    append: (records, seal) =>
      connection.use((db) =>
        db.transaction().execute(async (write) => {
          const head = await reserveLinks(write, records.length);
          await insertLinks(write, chained(records, head, seal));
        }),
      ),
    find: (query) =>
      search(query, (before) =>
        connection.use((db) => selectNewest(db, { limit: BLOCK, before, requestId: query.requestId })),
      ).catch((error: unknown) => {
        throw storeFailure(error);
      }),
    rows: () => pages((behind) => connection.use((db) => selectOldest(db, behind, BLOCK))),
  };
}

async function search(
  query: AuditQuery,
  read: (before: number | undefined) => Promise<readonly AuditRow[]>,
): Promise<AuditPage> {
  const page = beginPage(query);
  let before = cursorOf(query.before);
  for (let searched = 0; searched < SEARCHED; searched += BLOCK) {
    const rows = await read(before);
    for (const { id, entry } of rows) {
      const full = page.offer(entry, String(id));
      if (full) return full;
      before = id;
    }
    if (rows.length < BLOCK) return page.end();
    await setImmediate();
  }
  return page.stop(String(before));
}

function cursorOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Problem('invalid_request', 'before is no cursor of this audit trail: send "next" of a page.');
}

async function* pages(
  read: (behind: number) => Promise<readonly AuditRow[]>,
): AsyncGenerator<readonly AuditRow[]> {
  for (let behind = 0, full = true; full;) {
    const rows = await read(behind);
    full = rows.length === BLOCK;
    behind = rows.at(-1)?.id ?? 0;
    if (rows.length > 0) yield rows;
    await setImmediate();
  }
}
