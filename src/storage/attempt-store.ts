import { sql } from 'kysely';
import type { AttemptStore, LockedOutKey, ThrottleKey } from '../core/login.js';
import type { Connection } from './connection.js';
import type { Write } from './tables.js';
import { writerOf } from './transactions.js';

/** Maximum number of stored counters of each kind. */
const MAX_COUNTERS_PER_KIND = 10_000;

/** Number of attempts after which expired counters are removed. */
const ATTEMPTS_PER_TRIM = 100;

/** Creates the store of the counters of wrong passwords. */
export function attemptStore(connection: Connection): AttemptStore {
  const write = writerOf(connection);
  let attempts = 0;
  return {
    async count(keys, now) {
      const isTrimming = (attempts += 1) % ATTEMPTS_PER_TRIM === 0;
      try {
        await write(async (db) => {
          if (isTrimming) await trimAttempts(db, now, MAX_COUNTERS_PER_KIND);
          for (const key of keys) {
            const lockedOut = await countAttempt(db, key, now);
            if (lockedOut) throw new LockedOutError(lockedOut);
          }
        });
        return undefined;
      } catch (error) {
        if (error instanceof LockedOutError) return error.key;
        throw error;
      }
    },
    takeBack: (keys) =>
      write(async (db) => {
        for (const key of keys) await uncountAttempt(db, key);
      }),
  };
}

/** Error that rolls back the counters that the transaction has already incremented. */
class LockedOutError extends Error {
  readonly key: LockedOutKey;

  constructor(key: LockedOutKey) {
    super('a login counter is locked');
    this.key = key;
  }
}

/** Increments a counter and returns undefined. Returns a locked counter without incrementing it. */
async function countAttempt(db: Write, key: ThrottleKey, now: number): Promise<LockedOutKey | undefined> {
  const { kind, name, limit, windowMs } = key;
  const until = now + windowMs;
  // A stored window that ends later than a new window would end was started with another clock or length.
  const isExpired = sql<boolean>`(login_attempts.until <= ${now} or login_attempts.until > ${until})`;
  const incremented = await db
    .insertInto('loginAttempts')
    .values({ kind, name, count: 1, until })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'name'])
        .doUpdateSet({
          count: sql<number>`case when ${isExpired} then 1 else login_attempts.count + 1 end`,
          until: sql<number>`case when ${isExpired} then ${until} else login_attempts.until end`,
        })
        .where(sql<boolean>`(${isExpired} or login_attempts.count < ${limit})`),
    )
    .returning('count')
    .executeTakeFirst();
  if (incremented) return undefined;
  const row = await db
    .selectFrom('loginAttempts')
    .select('until')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst();
  return { place: key, until: Number(row?.until ?? until) };
}

async function uncountAttempt(db: Write, { kind, name }: ThrottleKey): Promise<void> {
  await db
    .updateTable('loginAttempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('count', '>', 0)
    .execute();
}

/**
 * Removes counters whose window has ended. If a kind then has more than `maxPerKind` counters, removes those
 * that end first. Counters of accounts need no limit, because the configuration limits their number.
 */
async function trimAttempts(db: Write, now: number, maxPerKind: number): Promise<void> {
  await db.deleteFrom('loginAttempts').where('until', '<=', now).execute();
  for (const kind of ['stranger', 'network', 'pair', 'token'] as const)
    await db
      .deleteFrom('loginAttempts')
      .where('kind', '=', kind)
      .where('until', '<', (query) =>
        query
          .selectFrom('loginAttempts')
          .select('until')
          .where('kind', '=', kind)
          .orderBy('until', 'desc')
          .limit(1)
          .offset(maxPerKind - 1),
      )
      .execute();
}
