import { sql } from 'kysely';
import type { Mute } from '../../core/notification.js';
import type { Connection } from '../../storage/connection.js';
import { storeTime } from '../../storage/store-time.js';
import type { Database, Write } from '../../storage/tables.js';
import { lockForWrite, readerOf, type Transact, writerOf } from '../../storage/transactions.js';
import type {
  Acknowledgement,
  NotificationState,
  NotificationStore,
  ProblemReport,
  ReportedProblem,
  StateChanges,
} from './notification.js';

/** Creates the store of notifications. `node` identifies this process as a sender. */
export function notificationStore(connection: Connection, node: string): NotificationStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    states: () =>
      read(async (db) => {
        const rows = await db.selectFrom('notificationStates').selectAll().execute();
        return rows.map(({ receiver, firstAt, sentAt, missingAt, document }) => ({
          receiver,
          problem: JSON.parse(document) as ReportedProblem,
          firstAt: Number(firstAt),
          sentAt: numberOrNull(sentAt),
          missingAt: numberOrNull(missingAt),
        }));
      }),
    saveStates: ({ stored, removed }) =>
      write(async (db) => {
        await deleteStates(db, removed);
        await upsertStates(db, stored);
      }),
    mutes: () =>
      read(async (db) => {
        const rows = await db.selectFrom('notificationMutes').selectAll().orderBy('until').execute();
        return rows.map(({ document }) => JSON.parse(document) as Mute);
      }),
    addMute: (mute) =>
      write(async (db) => {
        await db.deleteFrom('notificationMutes').where('until', '<=', mute.at).execute();
        const { id, until } = mute;
        await db
          .insertInto('notificationMutes')
          .values({ id, until, document: JSON.stringify(mute) })
          .execute();
      }),
    removeMute: (id) =>
      write(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('notificationMutes')
          .where('id', '=', id)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
    acknowledgements: () =>
      read(async (db) => {
        const rows = await db.selectFrom('problemAcknowledgements').selectAll().execute();
        return rows.map(({ document }) => JSON.parse(document) as Acknowledgement);
      }),
    acknowledge: (acknowledgement) =>
      write(async (db) => {
        const { problem } = acknowledgement;
        await deleteAcknowledgement(db, problem);
        const document = JSON.stringify(acknowledgement);
        await db.insertInto('problemAcknowledgements').values({ problem, document }).execute();
      }),
    withdraw: (problem) => write((db) => deleteAcknowledgement(db, problem)),
    publish: publisher(write, node),
    reports: (now) => read(async (db) => selectReports(db, { now: await storeTime(db, now), except: node })),
  };
}

/** Number of rows per statement: each row has at most six values, and SQLite accepts 32,766 per statement. */
const ROWS_PER_STATEMENT = 500;

async function upsertStates(db: Write, states: readonly NotificationState[]): Promise<void> {
  for (let at = 0; at < states.length; at += ROWS_PER_STATEMENT)
    await db
      .insertInto('notificationStates')
      .values(states.slice(at, at + ROWS_PER_STATEMENT).map(rowOf))
      .onConflict((conflict) =>
        conflict
          .columns(['receiver', 'problem'])
          .doUpdateSet((eb) => ({
            firstAt: eb.ref('excluded.firstAt'),
            sentAt: eb.ref('excluded.sentAt'),
            missingAt: eb.ref('excluded.missingAt'),
            document: eb.ref('excluded.document'),
          }))
          .where(sql<boolean>`coalesce(excluded.sent_at, 0) >= coalesce(notification_states.sent_at, 0)`),
      )
      .execute();
}

function rowOf({ receiver, problem, firstAt, sentAt, missingAt }: NotificationState) {
  return { receiver, problem: problem.id, firstAt, sentAt, missingAt, document: JSON.stringify(problem) };
}

async function deleteStates(db: Write, removed: StateChanges['removed']): Promise<void> {
  for (const receiver of new Set(removed.map((state) => state.receiver))) {
    const problems = removed.flatMap((state) => (state.receiver === receiver ? state.problem : []));
    for (let at = 0; at < problems.length; at += ROWS_PER_STATEMENT)
      await db
        .deleteFrom('notificationStates')
        .where('receiver', '=', receiver)
        .where('problem', 'in', problems.slice(at, at + ROWS_PER_STATEMENT))
        .execute();
  }
}

async function deleteAcknowledgement(db: Write, problem: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('problemAcknowledgements')
    .where('problem', '=', problem)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function publisher(write: Transact, node: string): NotificationStore['publish'] {
  /** Report of this process as it was stored last. */
  let stored: string | undefined;
  return async (report, { now, ttlMs }) => {
    const document = JSON.stringify(report);
    const published = await write(async (db) => {
      await lockForWrite(db, 'notifications');
      const term = { now: await storeTime(db, now), ttlMs };
      await putReport(db, { node, document, isUnchanged: document === stored }, term);
      const isSender = await claimSender(db, node, term);
      return { isSender, now: term.now, reports: isSender ? await selectReports(db, term) : [] };
    });
    stored = document;
    return published;
  };
}

/** Time of the database, and the time for which a report and a claim are valid, in milliseconds. */
interface Term {
  readonly now: number;
  readonly ttlMs: number;
}

/** Stores the report of a process, and removes the reports of processes that stopped. */
async function putReport(
  db: Write,
  {
    node,
    document,
    isUnchanged,
  }: { readonly node: string; readonly document: string; readonly isUnchanged: boolean },
  { now, ttlMs }: Term,
): Promise<void> {
  const until = now + ttlMs;
  // A report with a later end was written before the clock was set back.
  await db
    .deleteFrom('notificationReports')
    .where((row) => row.or([row('until', '<=', now), row('until', '>', until)]))
    .execute();
  const renewed = isUnchanged
    ? await db.updateTable('notificationReports').set({ until }).where('node', '=', node).executeTakeFirst()
    : undefined;
  if (renewed && renewed.numUpdatedRows > 0n) return;
  await db
    .insertInto('notificationReports')
    .values({ node, until, document })
    .onConflict((conflict) => conflict.column('node').doUpdateSet({ until, document }))
    .execute();
}

async function selectReports(
  db: Database,
  { now, except = '' }: { readonly now: number; readonly except?: string },
): Promise<readonly ProblemReport[]> {
  const rows = await db
    .selectFrom('notificationReports')
    .select('document')
    .where('until', '>', now)
    .where('node', '!=', except)
    .orderBy('node')
    .execute();
  return rows.map(({ document }) => JSON.parse(document) as ProblemReport);
}

/** Id of the only row of the sender. */
const SENDER = 1;

async function claimSender(db: Write, node: string, { now, ttlMs }: Term): Promise<boolean> {
  const until = now + ttlMs;
  const row = await db
    .selectFrom('notificationSender')
    .selectAll()
    .where('id', '=', SENDER)
    .executeTakeFirst();
  if (row && row.node !== node && Number(row.until) > now && Number(row.until) <= until) return false;
  await db.deleteFrom('notificationSender').where('id', '=', SENDER).execute();
  await db.insertInto('notificationSender').values({ id: SENDER, node, until }).execute();
  return true;
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
