import { sql } from 'kysely';
import type { ThrottleKey, LockedOutKey } from '../core/login-attempts.js';
import type { Write } from './tables.js';

/**
 * Increments a counter and returns undefined. If the counter is locked, returns it without incrementing it.
 */
export async function countAttempt(
  db: Write,
  place: ThrottleKey,
  now: number,
): Promise<LockedOutKey | undefined> {
  const { kind, name, limit, windowMs } = place;
  const until = now + windowMs;
  // A window that ends later than a new one was started with another clock or window length.
  const isOver = sql<boolean>`(login_attempts.until <= ${now} or login_attempts.until > ${until})`;
  const counted = await db
    .insertInto('loginAttempts')
    .values({ kind, name, count: 1, until })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'name'])
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else login_attempts.count + 1 end`,
          until: sql<number>`case when ${isOver} then ${until} else login_attempts.until end`,
        })
        .where(sql<boolean>`(${isOver} or login_attempts.count < ${limit})`),
    )
    .returning('count')
    .executeTakeFirst();
  if (counted) return undefined;
  const row = await db
    .selectFrom('loginAttempts')
    .select('until')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst();
  return { place, until: Number(row?.until ?? until) };
}

/** Decrements a counter. */
export async function uncountAttempt(db: Write, { kind, name }: ThrottleKey): Promise<void> {
  await db
    .updateTable('loginAttempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('count', '>', 0)
    .execute();
}

/**
 * Removes counters whose window is over, and beyond `most` of a kind, those that end first. Accounts need no
 * limit, because their number is small.
 */
export async function trimAttempts(db: Write, now: number, most: number): Promise<void> {
  await db.deleteFrom('loginAttempts').where('until', '<=', now).execute();
  for (const kind of ['stranger', 'network'] as const)
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
          .offset(most - 1),
      )
      .execute();
}
