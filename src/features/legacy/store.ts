import { sql } from 'kysely';
import type { Connection } from '../../storage/connection.js';
import type { Write } from '../../storage/tables.js';
import { lockForWrite, readerOf, writerOf } from '../../storage/transactions.js';
import { CALLER_DAYS, type DeprecatedCallStore, MAX_STORED_CALLERS } from './deprecated-calls.js';

const DAY_MS = 86_400_000;

/** Creates the store of the callers of deprecated operations. */
export function deprecatedCallStore(connection: Connection): DeprecatedCallStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    add: (counts, now) =>
      write(async (db) => {
        await lockForWrite(db, 'deprecatedCalls');
        await db.deleteFrom('deprecatedCalls').where('lastCall', '<', firstKept(now)).execute();
        if (counts.length > 0)
          await db
            .insertInto('deprecatedCalls')
            .values(counts.map(({ lastCall, ...count }) => ({ ...count, lastCall: Math.floor(lastCall) })))
            .onConflict((conflict) =>
              conflict.columns(['operation', 'issuer', 'caller']).doUpdateSet((eb) => ({
                calls: sql<number>`deprecated_calls.calls + excluded.calls`,
                lastCall: eb.ref('excluded.lastCall'),
              })),
            )
            .execute();
        await removeCallersBeyondLimit(db);
      }),
    list: (now) =>
      read(async (db) => {
        const rows = await db
          .selectFrom('deprecatedCalls')
          .selectAll()
          .where('lastCall', '>=', firstKept(now))
          .orderBy('calls', 'desc')
          .orderBy('caller')
          .execute();
        return rows.map(({ calls, lastCall, ...row }) => ({
          ...row,
          calls: Number(calls),
          lastCall: Number(lastCall),
        }));
      }),
  };
}

/** Returns the earliest latest call of a caller that is kept. */
function firstKept(now: number): number {
  return Math.floor(now) - CALLER_DAYS * DAY_MS;
}

/** Removes the callers with the oldest calls beyond the maximum. */
async function removeCallersBeyondLimit(db: Write): Promise<void> {
  const firstBeyond = await db
    .selectFrom('deprecatedCalls')
    .select('lastCall')
    .orderBy('lastCall', 'desc')
    .offset(MAX_STORED_CALLERS)
    .limit(1)
    .executeTakeFirst();
  if (firstBeyond)
    await db.deleteFrom('deprecatedCalls').where('lastCall', '<=', Number(firstBeyond.lastCall)).execute();
}
