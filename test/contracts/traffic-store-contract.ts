import assert from 'node:assert/strict';
import type { Store } from '../../src/features/store.js';
import {
  CELL_LENGTHS,
  MAX_CELL_CALLERS,
  NO_COUNTS,
  type TrafficCounts,
  type TrafficStore,
} from '../../src/features/traffic/traffic.js';
import { column, columns } from '../support/columns.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A time on a boundary of an hour. */
const START = Date.UTC(2026, 0, 1);
const NSO = 'nso1.example.com';

/** Numbers of `calls` calls of one caller, all in the same bucket. */
function countsOf(calls: number, changes: Partial<TrafficCounts> = {}): TrafficCounts {
  return {
    ...NO_COUNTS,
    calls,
    durations: `12:${calls}`,
    callers: new Map([['ada', { calls, errors: 0, clientErrors: 0 }]]),
    ...changes,
  };
}

/** Defines the tests of the numbers of calls for every store. `open` returns the same store repeatedly. */
export function trafficStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let traffic: TrafficStore;
  let start = START;

  before(async () => {
    store = await open();
    ({ traffic } = store);
  });
  after(() => store.close());
  beforeEach(async () => {
    // The cells of the previous test have expired.
    start += 30 * 24 * HOUR_MS;
    await traffic.removeExpired(start);
  });

  const cellsOf = (seconds: number, adapter: string, hours = 1) =>
    traffic.cells({ seconds, from: start, to: start + hours * HOUR_MS }, [adapter]);

  it('adds each minute to the cells of every length', async () => {
    const first = countsOf(3, { errors: 1, clientErrors: 1, maxInFlight: 4, maxWaiting: 2, openSeconds: 5 });
    const second = countsOf(2, {
      durations: '12:1 40:1',
      maxInFlight: 1,
      maxWaiting: 7,
      halfOpenSeconds: 10,
      callers: new Map([['bob', { calls: 2, errors: 1, clientErrors: 0 }]]),
    });
    await traffic.add(start, new Map([[NSO, first]]));
    await traffic.add(start + MINUTE_MS, new Map([[NSO, second]]));
    assert.deepEqual(await cellsOf(60, NSO), [
      { ...first, adapter: NSO, at: start },
      { ...second, adapter: NSO, at: start + MINUTE_MS },
    ]);
    for (const seconds of [300, 3_600])
      assert.deepEqual(await cellsOf(seconds, NSO), [
        {
          adapter: NSO,
          at: start,
          calls: 5,
          errors: 1,
          clientErrors: 1,
          durations: '12:4 40:1',
          maxInFlight: 4,
          maxWaiting: 7,
          openSeconds: 5,
          halfOpenSeconds: 10,
          callers: new Map([
            ['ada', { calls: 3, errors: 0, clientErrors: 0 }],
            ['bob', { calls: 2, errors: 1, clientErrors: 0 }],
          ]),
        },
      ]);
  });

  it('loses nothing when several nodes add the same minute at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => traffic.add(start, new Map([['core1', countsOf(5)]]))));
    for (const { seconds } of CELL_LENGTHS)
      assert.deepEqual(columns(await cellsOf(seconds, 'core1'), 'calls', 'durations'), [[40, '12:40']]);
  });

  it('sums up adapters, without the sum of all of them', async () => {
    await traffic.add(
      start,
      new Map([
        ['', countsOf(9)],
        ['core1', countsOf(4, { errors: 2, clientErrors: 0 })],
        ['core2', countsOf(5)],
      ]),
    );
    await traffic.add(start + MINUTE_MS, new Map([['core1', countsOf(1)]]));
    const sums = await traffic.sums({ seconds: 60, from: start, to: start + 2 * MINUTE_MS });
    assert.deepEqual(
      [...sums].sort((one, other) => one.adapter.localeCompare(other.adapter)),
      [
        { adapter: 'core1', calls: 5, errors: 2, clientErrors: 0 },
        { adapter: 'core2', calls: 5, errors: 0, clientErrors: 0 },
      ],
    );
    assert.deepEqual(
      await traffic.sums({ seconds: 60, from: start + MINUTE_MS, to: start + 2 * MINUTE_MS }),
      [{ adapter: 'core1', calls: 1, errors: 0, clientErrors: 0 }],
    );
    assert.deepEqual(column(await cellsOf(60, ''), 'calls'), [9]);
  });

  it('removes cells when their time is over, and keeps the longer cells', async () => {
    await traffic.add(start, new Map([['core1', countsOf(1)]]));
    for (const { seconds, keptSeconds } of CELL_LENGTHS) {
      const end = start + keptSeconds * 1_000;
      await traffic.removeExpired(end);
      assert.equal((await cellsOf(seconds, 'core1')).length, 1);
      await traffic.removeExpired(end + seconds * 1_000);
      assert.equal((await cellsOf(seconds, 'core1')).length, 0);
    }
  });

  it('removes any number of cells, and none that is younger', async () => {
    const names = Array.from({ length: 250 }, (_name, index) => `nso${index}.example.com`);
    const counts = new Map(names.map((name) => [name, countsOf(1)]));
    for (let minute = 0; minute < 21; minute += 1) await traffic.add(start + minute * MINUTE_MS, counts);
    // The cells of the last minute are still kept.
    await traffic.removeExpired(start + 20 * MINUTE_MS + 2 * HOUR_MS);
    const left = await traffic.cells({ seconds: 60, from: start, to: start + HOUR_MS }, names);
    const times = new Set(column(left, 'at'));
    assert.deepEqual([left.length, ...times], [names.length, start + 20 * MINUTE_MS]);
  });

  it('reads the durations and the callers of adapters, by adapter and time', async () => {
    const callers = new Map([['bob', { calls: 2, errors: 1, clientErrors: 0 }]]);
    for (const [minute, name] of [['core2'], ['core1', 'core2']].flatMap((names, at) =>
      names.map((one) => [at, one] as const),
    ))
      await traffic.add(start + minute * MINUTE_MS, new Map([[name, countsOf(2, { errors: 1, callers })]]));
    const range = { seconds: 60, from: start, to: start + HOUR_MS };
    const row = { calls: 2, errors: 1, clientErrors: 0, durations: '12:2' };
    assert.deepEqual(await traffic.durations(range, ['core2', 'core1', 'core3']), [
      { ...row, adapter: 'core1', at: start + MINUTE_MS },
      { ...row, adapter: 'core2', at: start },
      { ...row, adapter: 'core2', at: start + MINUTE_MS },
    ]);
    assert.deepEqual(await traffic.callers(range, ['core1']), [{ adapter: 'core1', callers }]);
  });

  it('bounds the callers of a cell and the seconds of an open breaker', async () => {
    const callers = new Map(
      Array.from(
        { length: 40 },
        (_, at) => [`client-${at}`, { calls: at + 1, errors: 0, clientErrors: 0 }] as const,
      ),
    );
    for (let minute = 0; minute < 3; minute += 1)
      await traffic.add(start, new Map([['core1', countsOf(820, { callers, openSeconds: 50 })]]));
    const [cell] = await cellsOf(60, 'core1');
    assert.ok(cell);
    assert.equal(cell.callers.size, MAX_CELL_CALLERS + 1);
    const calls = [...cell.callers.values()].reduce((sum, one) => sum + one.calls, 0);
    assert.equal(calls, 3 * 820);
    assert.equal(cell.openSeconds, 60);
    assert.equal((await cellsOf(300, 'core1'))[0]?.openSeconds, 150);
  });

  it('returns names as they were stored, whatever they contain', async () => {
    const name = 'it\'s "so" \\ 日本 : [1,2]';
    const callers = new Map([[name, { calls: 1, errors: 1, clientErrors: 0 }]]);
    await traffic.add(start, new Map([['core1', countsOf(1, { callers })]]));
    assert.deepEqual([...((await cellsOf(60, 'core1'))[0]?.callers.keys() ?? [])], [name]);
  });
}
