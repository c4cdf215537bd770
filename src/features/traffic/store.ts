import type { Connection } from '../../storage/connection.js';
import type { BigInteger, Database, Tables, Write } from '../../storage/tables.js';
import { lockForWrite, readerOf, writerOf } from '../../storage/transactions.js';
import {
  addCounts,
  ALL_ADAPTERS,
  busiestCallers,
  type CallerCounts,
  CELL_LENGTHS,
  type CellRange,
  cellStart,
  MAX_CELL_CALLERS,
  type TrafficCounts,
  type TrafficRow,
  type TrafficStore,
} from './traffic.js';

/** Creates the store of the numbers of calls. */
export function trafficStore(connection: Connection): TrafficStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    add: (at, counts) =>
      write(async (db) => {
        await lockForWrite(db, 'traffic');
        for (const { seconds } of CELL_LENGTHS)
          await addToCells(db, { seconds, at: cellStart(at, seconds) }, [...counts]);
      }),
    async removeExpired(now) {
      for (const { seconds, keptSeconds } of CELL_LENGTHS) {
        const before = cellStart(now, seconds) - keptSeconds * 1_000;
        while (await write((db) => removeSome(db, seconds, before))) {
          // The next batch is a transaction of its own, so that other users of the store do not wait for long.
        }
      }
    },
    cells: (range, adapters) =>
      read(async (db) => (await rowsOf(db, range, adapters).selectAll().execute()).map(toTrafficRow)),
    durations: (range, adapters) =>
      read(async (db) => {
        const columns = ['adapter', 'at', 'calls', 'errors', 'clientErrors', 'durations'] as const;
        const rows = await rowsOf(db, range, adapters).select(columns).execute();
        return rows.map(({ at, ...row }) => ({ ...row, at: Number(at) }));
      }),
    callers: (range, adapters) =>
      read(async (db) => {
        const rows = await rowsOf(db, range, adapters).select(['adapter', 'callers']).execute();
        return rows.map(({ adapter, callers }) => ({ adapter, callers: callersOf(callers) }));
      }),
    sums: ({ seconds, from, to }) =>
      read(async (db) => {
        const rows = await db
          .selectFrom('traffic')
          .select(({ fn }) => [
            'adapter',
            fn.sum<BigInteger>('calls').as('calls'),
            fn.sum<BigInteger>('errors').as('errors'),
            fn.sum<BigInteger>('clientErrors').as('clientErrors'),
          ])
          .where('seconds', '=', seconds)
          .where('at', '>=', from)
          .where('at', '<', to)
          .where('adapter', '!=', ALL_ADAPTERS)
          .groupBy('adapter')
          .execute();
        return rows.map(({ adapter, calls, errors, clientErrors }) => ({
          adapter,
          calls: Number(calls),
          errors: Number(errors),
          clientErrors: Number(clientErrors),
        }));
      }),
  };
}

/** Selects cells in the order of the primary key. In another order, SQLite reads the cells of all adapters. */
function rowsOf(db: Database, { seconds, from, to }: CellRange, adapters: readonly string[]) {
  return db
    .selectFrom('traffic')
    .where('seconds', '=', seconds)
    .where('adapter', 'in', adapters)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('adapter')
    .orderBy('at');
}

/** Adds numbers to the cells of one length. Another node, or a cell of a shorter length, may have written them. */
async function addToCells(
  db: Write,
  cell: { readonly seconds: number; readonly at: number },
  counts: readonly (readonly [adapter: string, counts: TrafficCounts])[],
): Promise<void> {
  const stored = await db
    .selectFrom('traffic')
    .selectAll()
    .where('seconds', '=', cell.seconds)
    .where('at', '=', cell.at)
    .where(
      'adapter',
      'in',
      counts.map(([adapter]) => adapter),
    )
    .execute();
  const before = new Map(stored.map((row) => [row.adapter, toTrafficRow(row)]));
  const rows = counts.map(([adapter, added]) => {
    const row = before.get(adapter);
    return { ...cell, adapter, ...columnsOf(row ? addCounts(row, added) : added, cell.seconds) };
  });
  await db
    .insertInto('traffic')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['seconds', 'adapter', 'at']).doUpdateSet((eb) => ({
        calls: eb.ref('excluded.calls'),
        errors: eb.ref('excluded.errors'),
        clientErrors: eb.ref('excluded.clientErrors'),
        maxInFlight: eb.ref('excluded.maxInFlight'),
        maxWaiting: eb.ref('excluded.maxWaiting'),
        openSeconds: eb.ref('excluded.openSeconds'),
        halfOpenSeconds: eb.ref('excluded.halfOpenSeconds'),
        durations: eb.ref('excluded.durations'),
        callers: eb.ref('excluded.callers'),
      })),
    )
    .execute();
}

/** Number of rows of a batch. A batch ends with the cells of one time, so that it may have some more. */
const REMOVED_ROWS = 2_000;

/** Removes a batch of the oldest cells that started before `before`. Returns true if there are more. */
async function removeSome(db: Write, seconds: number, before: number): Promise<boolean> {
  await lockForWrite(db, 'traffic');
  const last = await db
    .selectFrom('traffic')
    .select('at')
    .where('seconds', '=', seconds)
    .where('at', '<', before)
    .orderBy('at')
    .offset(REMOVED_ROWS - 1)
    .limit(1)
    .executeTakeFirst();
  const removal = db.deleteFrom('traffic').where('seconds', '=', seconds);
  await (last ? removal.where('at', '<=', last.at) : removal.where('at', '<', before)).execute();
  return last !== undefined;
}

type Columns = Omit<Tables['traffic'], 'seconds' | 'adapter' | 'at'>;

/** Highest value of an integer column. */
const MAX_INTEGER = 2 ** 31 - 1;

/** Returns the columns of numbers. Several nodes can sum up to more seconds of an open breaker than a cell has. */
function columnsOf(counts: TrafficCounts, seconds: number): Columns {
  const limited = (value: number, most = MAX_INTEGER): number => Math.min(Math.round(value), most);
  return {
    calls: limited(counts.calls),
    errors: limited(counts.errors),
    clientErrors: limited(counts.clientErrors),
    maxInFlight: limited(counts.maxInFlight),
    maxWaiting: limited(counts.maxWaiting),
    openSeconds: limited(counts.openSeconds, seconds),
    halfOpenSeconds: limited(counts.halfOpenSeconds, seconds),
    durations: counts.durations,
    callers: callersText(busiestCallers(counts.callers, MAX_CELL_CALLERS)),
  };
}

function callersText(callers: ReadonlyMap<string, CallerCounts>): string {
  return JSON.stringify(
    [...callers].map(([name, { calls, errors, clientErrors }]) => [name, calls, errors, clientErrors]),
  );
}

function toTrafficRow(
  row: Omit<Columns, never> & { readonly adapter: string; readonly at: BigInteger },
): TrafficRow {
  const { adapter, at, calls, errors, clientErrors, maxInFlight, maxWaiting, openSeconds, halfOpenSeconds } =
    row;
  return {
    adapter,
    at: Number(at),
    calls,
    errors,
    clientErrors,
    maxInFlight,
    maxWaiting,
    openSeconds,
    halfOpenSeconds,
    durations: row.durations,
    callers: callersOf(row.callers),
  };
}

function callersOf(text: string): ReadonlyMap<string, CallerCounts> {
  // Rows of earlier releases lack the last number.
  const callers = JSON.parse(text) as readonly (readonly [string, number, number, number?])[];
  return new Map(
    callers.map(([name, calls, errors, clientErrors = 0]) => [name, { calls, errors, clientErrors }]),
  );
}
