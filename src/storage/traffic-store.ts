import {
  addCounts,
  ALL_ADAPTERS,
  busiestCallers,
  type CallerCounts,
  CELL_LENGTHS,
  cellStart,
  MAX_CELL_CALLERS,
  type TrafficCounts,
  type TrafficRow,
  type TrafficStore,
} from '../core/traffic.js';
import type { Connection } from './connection.js';
import type { BigInteger, Tables, Write } from './tables.js';
import { lockForWrite, readerOf, writerOf } from './transactions.js';

/** Number of names per query. */
const NAMES_PER_QUERY = 500;

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
    removeExpired: (now) => write((db) => removeExpired(db, now)),
    cells: ({ seconds, from, to }, adapters) =>
      read(async (db) => {
        const rows: TrafficRow[] = [];
        for (let first = 0; first < adapters.length; first += NAMES_PER_QUERY) {
          const found = await db
            .selectFrom('traffic')
            .selectAll()
            .where('seconds', '=', seconds)
            .where('adapter', 'in', adapters.slice(first, first + NAMES_PER_QUERY))
            .where('at', '>=', from)
            .where('at', '<', to)
            .orderBy('at')
            .execute();
          rows.push(...found.map(toTrafficRow));
        }
        return rows;
      }),
    sums: ({ seconds, from, to }) =>
      read(async (db) => {
        const rows = await db
          .selectFrom('traffic')
          .select(({ fn }) => [
            'adapter',
            fn.sum<BigInteger>('calls').as('calls'),
            fn.sum<BigInteger>('errors').as('errors'),
          ])
          .where('seconds', '=', seconds)
          .where('at', '>=', from)
          .where('at', '<', to)
          .where('adapter', '!=', ALL_ADAPTERS)
          .groupBy('adapter')
          .execute();
        return rows.map(({ adapter, calls, errors }) => ({
          adapter,
          calls: Number(calls),
          errors: Number(errors),
        }));
      }),
  };
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

async function removeExpired(db: Write, now: number): Promise<void> {
  for (const { seconds, keptSeconds } of CELL_LENGTHS)
    await db
      .deleteFrom('traffic')
      .where('seconds', '=', seconds)
      .where('at', '<', cellStart(now, seconds) - keptSeconds * 1_000)
      .execute();
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
    durations: [...counts.durations].map(([bucket, calls]) => `${bucket}:${calls}`).join(' '),
    callers: callersText(busiestCallers(counts.callers, MAX_CELL_CALLERS)),
  };
}

function callersText(callers: ReadonlyMap<string, CallerCounts>): string {
  return JSON.stringify([...callers].map(([name, { calls, errors }]) => [name, calls, errors]));
}

function toTrafficRow(
  row: Omit<Columns, never> & { readonly adapter: string; readonly at: BigInteger },
): TrafficRow {
  const { adapter, at, calls, errors, clientErrors, maxInFlight, maxWaiting, openSeconds, halfOpenSeconds } =
    row;
  const callers = JSON.parse(row.callers) as readonly (readonly [string, number, number])[];
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
    durations: durationsOf(row.durations),
    callers: new Map(callers.map(([name, count, failed]) => [name, { calls: count, errors: failed }])),
  };
}

function durationsOf(text: string): ReadonlyMap<number, number> {
  if (text === '') return new Map();
  return new Map(
    text.split(' ').map((entry) => {
      const [bucket, calls] = entry.split(':');
      return [Number(bucket), Number(calls)] as const;
    }),
  );
}
