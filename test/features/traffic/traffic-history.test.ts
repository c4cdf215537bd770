import assert from 'node:assert/strict';
import { openStore } from '../../../src/features/open-store.js';
import type { Store } from '../../../src/features/store.js';
import {
  MAX_UNSAVED_MINUTES,
  MAX_UNSAVED_ROWS,
  openTrafficHistory,
  type TrafficHistory,
} from '../../../src/features/traffic/traffic-history.js';
import {
  createTrafficRecorder,
  type TrafficRecorder,
} from '../../../src/features/traffic/traffic-recorder.js';
import type { TrafficStore } from '../../../src/features/traffic/traffic.js';
import { column, columns } from '../../support/columns.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { assertMembers } from '../../support/members.js';
import { memoryLog } from '../../support/memory-log.js';

const MINUTE_MS = 60_000;
/** A time on a boundary of an hour. */
const START = Date.UTC(2026, 0, 1, 12);

describe('openTrafficHistory', () => {
  let store: Store;
  let clock: FakeScheduler;
  let recorder: TrafficRecorder;
  let isBroken: boolean;
  const reads: (readonly string[])[] = [];
  let lines: ReturnType<typeof memoryLog>['lines'];
  let history: TrafficHistory;

  beforeEach(async () => {
    store = await openStore('sqlite::memory:');
    clock = createFakeScheduler(START);
    recorder = createTrafficRecorder(clock);
    isBroken = false;
    const logged = memoryLog();
    ({ lines } = logged);
    history = openTrafficHistory({
      recorder,
      store: breakable(store.traffic, { isBroken: () => isBroken, reads }),
      isAdapter: (name) => name !== 'removed',
      clock,
      log: logged.log,
    });
  });
  afterEach(async () => {
    history.close();
    await store.close();
  });

  const call = (adapter = 'core1', status = 200): void => {
    recorder.note({ adapter, status, ms: 20, caller: 'ada' });
  };
  const read = (more: Partial<Parameters<TrafficHistory['read']>[0]> = {}) =>
    history.read({ from: START, to: clock.now() + 1, limit: 40, ...more });
  const callsOf = async (): Promise<readonly [calls: number, isComplete: boolean]> => {
    const { cells, isComplete } = await read();
    return [cells.reduce((sum, { calls }) => sum + calls, 0), isComplete];
  };

  it('counts a call once, before and after it is stored', async () => {
    call();
    assert.deepEqual(await callsOf(), [1, true]);
    await clock.pass(2 * MINUTE_MS);
    assert.equal(recorder.minutes().length, 0);
    call();
    assert.deepEqual(await callsOf(), [2, true]);
  });

  it('keeps the numbers while the store fails, reports it once, and stores them afterwards', async () => {
    isBroken = true;
    call();
    await clock.pass(3 * MINUTE_MS);
    assert.deepEqual(await callsOf(), [1, false]);
    assert.deepEqual(columns(lines, 'level', 'message'), [
      ['warn', 'traffic numbers were not stored; trying again every minute'],
    ]);
    isBroken = false;
    await clock.pass(2 * MINUTE_MS);
    assert.deepEqual(await callsOf(), [1, true]);
    const range = { seconds: 60, from: START, to: START + MINUTE_MS };
    assert.equal((await store.traffic.cells(range, ['core1']))[0]?.calls, 1);
  });

  it('loses the oldest minutes if the store fails for long', async () => {
    isBroken = true;
    for (let minute = 0; minute < MAX_UNSAVED_MINUTES + 10; minute += 1) {
      call();
      await clock.pass(MINUTE_MS);
    }
    await clock.pass(MINUTE_MS);
    assert.deepEqual(await callsOf(), [MAX_UNSAVED_MINUTES, false]);
  });

  it('keeps a bounded number of rows while the store fails, and the sum of all adapters of each minute', async () => {
    isBroken = true;
    const [adapters, minutes] = [2_000, 12];
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let adapter = 0; adapter < adapters; adapter += 1) call(`nso${adapter}.example.com`);
      await clock.pass(MINUTE_MS);
    }
    await clock.pass(MINUTE_MS);
    const report = await read({ limit: 1 });
    assert.deepEqual(column(report.cells, 'calls'), Array<number>(minutes).fill(adapters));
    const kept = Math.floor(MAX_UNSAVED_ROWS / adapters);
    assert.ok(report.adapters[0]?.calls === kept || report.adapters[0]?.calls === kept - 1);
    isBroken = false;
    await clock.pass(2 * MINUTE_MS);
    assert.equal((await read({ limit: 1 })).isComplete, true);
  });

  it('reads the adapters of a long list in small parts, and their callers', async () => {
    for (let adapter = 0; adapter < 50; adapter += 1) call(`nso${adapter}.example.com`);
    await history.save();
    reads.length = 0;
    const report = await read({ limit: 200 });
    assert.deepEqual([report.adapters.length, report.flows.length], [50, 40]);
    assert.ok(report.adapters.every(({ cells }) => cells[0]?.calls === 1 && cells[0].p95Ms === 21));
    assert.ok(reads.length >= 7 && reads.every((names) => names.length <= 8));
  });

  it('lists the adapters with errors first, and none that was removed', async () => {
    call('quiet');
    call('busy');
    call('busy');
    call('failing', 502);
    call('removed');
    const { adapters, adaptersLeft, cells } = await read({ limit: 2 });
    assert.deepEqual(column(adapters, 'name'), ['failing', 'busy']);
    assert.deepEqual([adaptersLeft, cells[0]?.calls], [1, 5]);
  });

  it('reports one adapter with its callers, its queue and its circuit breaker', async () => {
    call();
    recorder.sample([{ adapter: 'core1', inFlight: 3, waiting: 2, breaker: 'open' }], 5_000);
    const report = await read({ adapter: 'core1' });
    assert.deepEqual(report.adapters, []);
    const flow = { caller: 'ada', adapter: 'core1', calls: 1, errors: 0, clientErrors: 0 };
    assert.deepEqual(report.flows, [flow]);
    assertMembers(report.cells[0], { maxInFlight: 3, maxWaiting: 2, openSeconds: 5 });
  });

  it('stores the current minute when the server stops', async () => {
    call();
    await history.save();
    const range = { seconds: 3_600, from: START, to: START + 60 * MINUTE_MS };
    assert.equal((await store.traffic.cells(range, ['core1']))[0]?.calls, 1);
  });
});

function breakable(
  traffic: TrafficStore,
  { isBroken, reads }: { readonly isBroken: () => boolean; readonly reads: (readonly string[])[] },
): TrafficStore {
  const guarded =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      isBroken() ? Promise.reject(new Error('the store does not answer')) : work(...args);
  return {
    add: guarded(traffic.add),
    removeExpired: guarded(traffic.removeExpired),
    cells: guarded(traffic.cells),
    durations: guarded((range, names) => {
      reads.push(names);
      return traffic.durations(range, names);
    }),
    callers: guarded(traffic.callers),
    sums: guarded(traffic.sums),
  };
}
