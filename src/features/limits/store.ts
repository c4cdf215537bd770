import type { Connection } from '../../storage/connection.js';
import { storeTime } from '../../storage/store-time.js';
import type { Write } from '../../storage/tables.js';
import { lockForWrite, writerOf } from '../../storage/transactions.js';
import type { LimitCountStore, Portion, PortionRequest } from './limit-counts.js';

/**
 * Creates the store of the counts of limits. The rate of a caller is one number, the time at which the full burst is
 * permitted again (the theoretical arrival time of GCRA, ITU-T I.371). `node` identifies this process.
 */
export function limitCountStore(connection: Connection, node: string): LimitCountStore {
  const write = writerOf(connection);
  return {
    exchange: (requests, { now }) =>
      write(async (db) => {
        await lockForWrite(db, 'limitCounts');
        const time = await storeTime(db, now);
        const nodes = await countNodes(db, time);
        return { portions: await exchange(db, requests, { node, nodes, time }), nodes };
      }),
    report: ({ now, ttlMs, isFresh }) =>
      write(async (db) => {
        await lockForWrite(db, 'limitCounts');
        if (isFresh) await db.deleteFrom('limitSlots').where('node', '=', node).execute();
        const { nodes, isNew } = await reportNode(db, node, { time: await storeTime(db, now), ttlMs });
        return { nodes, isForgotten: isNew && !isFresh };
      }),
    leave: () =>
      write(async (db) => {
        await lockForWrite(db, 'limitCounts');
        await db.deleteFrom('limitSlots').where('node', '=', node).execute();
        await db.deleteFrom('limitNodes').where('node', '=', node).execute();
      }),
  };
}

/** Stores that the node counts until the end of its term, and removes what is over. */
async function reportNode(
  db: Write,
  node: string,
  { time, ttlMs }: { readonly time: number; readonly ttlMs: number },
): Promise<{ readonly nodes: number; readonly isNew: boolean }> {
  const until = time + ttlMs;
  const { numUpdatedRows } = await db
    .updateTable('limitNodes')
    .set({ until })
    .where('node', '=', node)
    .executeTakeFirst();
  const isNew = numUpdatedRows === 0n;
  if (isNew) await db.insertInto('limitNodes').values({ node, until }).execute();
  await db.deleteFrom('limitRates').where('fullAt', '<=', time).execute();
  // A node with a later end reported before the clock was set back.
  await db
    .deleteFrom('limitNodes')
    .where((row) => row.or([row('until', '<=', time), row('until', '>', until)]))
    .execute();
  const rows = await db.selectFrom('limitNodes').select('node').execute();
  const counting = rows.map((row) => row.node);
  await db.deleteFrom('limitSlots').where('node', 'not in', counting).execute();
  return { nodes: counting.length, isNew };
}

/** Returns the number of nodes that report; 1 if there is none. */
async function countNodes(db: Write, time: number): Promise<number> {
  const rows = await db.selectFrom('limitNodes').select('node').where('until', '>', time).execute();
  return Math.max(1, rows.length);
}

interface Exchange {
  readonly node: string;
  readonly nodes: number;
  readonly time: number;
}

async function exchange(
  db: Write,
  requests: readonly PortionRequest[],
  { node, nodes, time }: Exchange,
): Promise<readonly Portion[]> {
  const fullAt = await readRates(db, requests);
  const heldByOthers = await readSlots(db, node, requests);
  const grants = requests.map((request) => ({
    request,
    rate: grantCalls(request, { fullAt: fullAt.get(request.id) ?? time, time, nodes }),
    slots: grantSlots(request, heldByOthers.get(request.id) ?? 0),
  }));
  await saveRates(db, grants);
  await saveSlots(db, node, grants);
  return grants.map(portionOf);
}

/** Returns the times at which the full bursts are permitted, by id. */
async function readRates(
  db: Write,
  requests: readonly PortionRequest[],
): Promise<ReadonlyMap<string, number>> {
  const ids = requests.flatMap(({ id, rate }) => (rate ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('limitRates').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.fullAt]));
}

/** Returns the number of slots that the other nodes hold, by id. */
async function readSlots(
  db: Write,
  node: string,
  requests: readonly PortionRequest[],
): Promise<ReadonlyMap<string, number>> {
  const ids = requests.flatMap(({ id, slots }) => (slots ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('limitSlots')
    .select(({ fn }) => ['id', fn.sum<number | string>('held').as('held')])
    .where('id', 'in', ids)
    .where('node', '!=', node)
    .groupBy('id')
    .execute();
  return new Map(rows.map((row) => [row.id, Number(row.held)]));
}

/** What one request receives. */
interface Grant {
  readonly request: PortionRequest;
  readonly rate: GrantedCalls | undefined;
  readonly slots: number | undefined;
}

interface GrantedCalls {
  readonly fullAt: number;
  readonly calls: number;
  readonly left: number;
  readonly waitMs: number;
}

function grantCalls(
  { rate }: PortionRequest,
  { fullAt, time, nodes }: { readonly fullAt: number; readonly time: number; readonly nodes: number },
): GrantedCalls | undefined {
  if (!rate) return undefined;
  const { capacity, refillMs, needed, wanted, held, returned, spent } = rate;
  // A later time was stored before the clock was set back.
  const full = Math.min(fullAt, time + capacity * refillMs);
  const from = Math.max(time, full - returned * refillMs) + spent * refillMs;
  const levelAt = (at: number): number => capacity - (at - time) / refillMs;
  const available = Math.max(0, Math.floor(levelAt(from) + ROUNDING));
  const urgent = Math.min(needed, available);
  // All portions that nodes hold in advance are at most a tenth of the limit, and the other nodes find something left.
  const most = Math.max(1, Math.floor(capacity / (10 * nodes)));
  const permitted = Math.max(0, most - held);
  const spare = Math.min(wanted, permitted, Math.floor((available - urgent) / (nodes + 1)));
  const calls = urgent + spare;
  const next = from + calls * refillMs;
  const left = Math.max(0, Math.floor(levelAt(next) + ROUNDING));
  const waitMs = calls > 0 || left > 0 ? 0 : Math.max(1, Math.ceil((1 - levelAt(next)) * refillMs));
  return { fullAt: next, calls, left, waitMs };
}

/** Tolerance for rounding: a whole call must not be lost to the last digit. */
const ROUNDING = 1e-6;

function grantSlots({ slots }: PortionRequest, heldByOthers: number): number | undefined {
  return slots ? Math.min(slots.needed, Math.max(0, slots.maximum - heldByOthers)) : undefined;
}

function portionOf({ rate, slots = 0 }: Grant): Portion {
  const { calls, left, waitMs } = rate ?? { calls: 0, left: 0, waitMs: 0 };
  return { calls, left, waitMs, slots };
}

async function saveRates(db: Write, grants: readonly Grant[]): Promise<void> {
  const rows = grants.flatMap(({ request: { id }, rate }) => (rate ? [{ id, fullAt: rate.fullAt }] : []));
  if (rows.length === 0) return;
  await db
    .insertInto('limitRates')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ fullAt: eb.ref('excluded.fullAt') })),
    )
    .execute();
}

async function saveSlots(db: Write, node: string, grants: readonly Grant[]): Promise<void> {
  const held = grants.flatMap(({ request: { id }, slots }) => (slots === undefined ? [] : [{ id, slots }]));
  const free = held.filter(({ slots }) => slots === 0).map(({ id }) => id);
  if (free.length > 0)
    await db.deleteFrom('limitSlots').where('node', '=', node).where('id', 'in', free).execute();
  const rows = held.filter(({ slots }) => slots > 0).map(({ id, slots }) => ({ id, node, held: slots }));
  if (rows.length === 0) return;
  await db
    .insertInto('limitSlots')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['id', 'node']).doUpdateSet((eb) => ({ held: eb.ref('excluded.held') })),
    )
    .execute();
}
