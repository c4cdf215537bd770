import { sql } from 'kysely';
import type { Log } from '../../core/log.js';
import type { Scheduler } from '../../lib/clock.js';
import { createSerialQueue } from '../../lib/serial-queue.js';
import type { Connection } from '../../storage/connection.js';
import type { Write } from '../../storage/tables.js';
import { lockForWrite, readerOf, writerOf } from '../../storage/transactions.js';
import type { CallCounter } from './call-counter.js';
import {
  type CallerCalls,
  type DeprecatedCallStore,
  CALLER_DAYS,
  MAX_STORED_CALLERS,
} from './deprecated-calls.js';

/** Callers of the deprecated operations, over restarts and of all nodes. */
export interface DeprecatedCallHistory {
  /** Returns the callers; if the store fails, those since the start of this process. */
  readonly read: () => Promise<readonly CallerCalls[]>;
  /** Stores the calls that are not stored yet. A store that fails is reported in the log. */
  readonly save: () => Promise<void>;
  /** Stops the regular writes. */
  readonly close: () => void;
}

interface DeprecatedCallHistoryInput {
  readonly counter: CallCounter;
  readonly store: { readonly deprecatedCalls: DeprecatedCallStore };
  readonly clock: Scheduler;
  readonly log: Log;
}

/** Interval between writes in milliseconds, if there were calls. */
const SAVE_INTERVAL_MS = 60_000;

/** Starts to store the callers. A store that fails delays and refuses no call. */
export function openDeprecatedCallHistory(input: DeprecatedCallHistoryInput): DeprecatedCallHistory {
  const { counter, clock, log } = input;
  const { deprecatedCalls: store } = input.store;
  const runInTurn = createSerialQueue();
  /** Number of stored calls of this process by caller. */
  let saved = new Map<string, number>();
  let isFailing = false;

  async function saveNew(): Promise<void> {
    const callers = counter.callers();
    const added = callers
      .map((one) => ({ ...one, calls: one.calls - storedCallsOf(one) }))
      .filter(({ calls }) => calls > 0);
    if (added.length > 0) await store.add(added, clock.now());
    isFailing = false;
    saved = new Map(callers.map((one) => [keyOf(one), one.calls]));
  }

  /** Returns the stored calls of a caller: none if the counter forgot the caller, and counts from 1 again. */
  function storedCallsOf(caller: CallerCalls): number {
    const calls = saved.get(keyOf(caller)) ?? 0;
    return calls > caller.calls ? 0 : calls;
  }

  const save = (): Promise<void> =>
    runInTurn({}, saveNew).catch((error: unknown) => {
      if (!isFailing)
        log.warn('callers of deprecated operations were not stored; trying again every minute', {
          error: String(error),
        });
      isFailing = true;
    });

  let cancel = clock.after(SAVE_INTERVAL_MS, saveAndRepeat);
  function saveAndRepeat(): void {
    cancel = clock.after(SAVE_INTERVAL_MS, saveAndRepeat);
    void save();
  }

  return {
    read: () =>
      runInTurn({}, async () => {
        await saveNew();
        return store.list(clock.now());
      }).catch(() => counter.callers()),
    save,
    close() {
      cancel();
    },
  };
}

function keyOf({ operation, issuer, caller }: CallerCalls): string {
  return JSON.stringify([operation, issuer, caller]);
}

const DAY_MS = 86_400_000;

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
