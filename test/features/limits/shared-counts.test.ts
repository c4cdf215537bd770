import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LimitedAdmission, LimitRule } from '../../../src/core/limits.js';
import { createCallerLimits } from '../../../src/features/limits/caller-limits.js';
import type { LimitCountStore } from '../../../src/features/limits/limit-counts.js';
import { openSharedCounts } from '../../../src/features/limits/shared-counts.js';
import { limitCountStore } from '../../../src/features/limits/store.js';
import type { Scheduler } from '../../../src/lib/clock.js';
import { Connection } from '../../../src/storage/connection.js';
import { migrate } from '../../../src/storage/migrations.js';
import { openSqlite } from '../../../src/storage/sqlite.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { limitedCall, limitRule } from '../../support/limits.js';
import { memoryLog } from '../../support/memory-log.js';
import { openedByTest } from '../../support/opened.js';

const EXCHANGE_TIMEOUT_MS = 2_000;
const STEP_MS = 100;
const HOUR_MS = 3_600_000;

const ignore = (): void => undefined;

/** The database of all tests, in which each has a limit and nodes of its own. */
let connection: Connection;
let worlds = 0;

/** Opens nodes. The monotonic clock of each is ahead of the one of the node before it by `apartMs`. */
function openNodes(rule: Partial<LimitRule>, count = 2, apartMs = 0) {
  const scheduler = createFakeScheduler();
  let setMs = 0;
  const systemTime = { now: () => scheduler.now() + setMs };
  const world = (worlds += 1);
  const settings = { [`scripts${world}`]: limitRule(rule) };
  const working = new Set<Promise<void>>();
  // The database answers in real time, so the time of the test must not end the wait for it.
  const patient = (aheadMs: number): Scheduler => ({
    now: () => scheduler.now() + aheadMs,
    after: (ms, work) => (ms === EXCHANGE_TIMEOUT_MS ? ignore : scheduler.after(ms, work)),
  });
  const nodes = Array.from({ length: count }, (_, at) => openNode(at));
  function openNode(at: number) {
    const own = limitCountStore(connection, `node ${world}-${at}`);
    const monotonicTime = patient(at * apartMs);
    const state = { isAway: false, exchanges: 0 };
    const reach = <T>(work: () => Promise<T>): Promise<T> => {
      const done = state.isAway ? Promise.reject(new Error('away')) : work();
      const ended = done.then(ignore, ignore).finally(() => working.delete(ended));
      working.add(ended);
      return done;
    };
    const store: LimitCountStore = {
      exchange(...input) {
        state.exchanges += 1;
        return reach(() => own.exchange(...input));
      },
      report: (terms) => reach(() => own.report(terms)),
      leave: () => reach(() => own.leave()),
    };
    const { log, lines } = memoryLog();
    const clocks = { clock: systemTime, scheduler: monotonicTime };
    const shared = openSharedCounts({ store, isUsed: () => true, ...clocks, log });
    const limits = createCallerLimits({ clock: monotonicTime, settings: () => settings, shared });
    const call = async (subject = 'ada'): Promise<LimitedAdmission> => {
      const admission = await limits.admit(limitedCall(subject));
      assert.ok(admission);
      return admission;
    };
    return { ...limits, call, state, lines, shared };
  }
  const admits = async (node: number, subject?: string): Promise<boolean> =>
    (await nodes[node]!.call(subject)).refusal === undefined;
  const countOf = async (times: number, inOrder: readonly number[], subject?: string): Promise<number> => {
    let admitted = 0;
    for (let time = 0; time < times; time += 1)
      if (await admits(inOrder[time % inOrder.length]!, subject)) admitted += 1;
    return admitted;
  };
  /** Passes time in steps, and waits for the exchanges of each step. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await scheduler.pass(Math.min(STEP_MS, left));
      await Promise.all(working);
    }
  };
  const setAway = (isAway: boolean): void => {
    for (const { state } of nodes) state.isAway = isAway;
  };
  const close = async (): Promise<void> => {
    setAway(false);
    for (const { shared } of nodes) await shared.close();
  };
  const join = () => nodes.push(openNode(nodes.length));
  const setClock = (byMs: number) => (setMs += byMs);
  return { nodes, scheduler, admits, countOf, pass, close, join, setClock, setAway };
}

describe('limits that nodes share', () => {
  before(async () => {
    connection = await Connection.open({
      async open() {
        const database = await openSqlite(':memory:');
        await migrate(database);
        return database;
      },
      isFatal: () => false,
    });
  });
  after(() => connection.close());
  const opened = openedByTest();
  const open = async (...sent: Parameters<typeof openNodes>) => opened(openNodes(...sent));

  it('admit as many calls if all arrive at one node', async () => {
    const { countOf } = await open({ requests: 100 });
    assert.equal(await countOf(200, [0]), 100);
  });

  it('leave nine tenths to be used after bursts of any size at the other node', async () => {
    const bursts = fc.array(fc.nat(12), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(bursts, async (sizes) => {
        const world = openNodes({ requests: 100 });
        try {
          let admitted = 0;
          const burst = async (node: number, size: number): Promise<void> => {
            const calls = await Promise.all(Array.from({ length: size }, () => world.admits(node)));
            admitted += calls.filter(Boolean).length;
          };
          for (const size of sizes) await burst(0, size);
          for (let time = 0; time < 20; time += 1) await burst(1, 10);
          assert.ok(admitted >= 90 && admitted <= 100, `${admitted} of 100`);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 10 },
    );
  });

  it('are shared with a node that joined after the last report (bug: 150 of 100 calls while the database was away)', async () => {
    const { admits, countOf, join, setAway } = await open({ requests: 100 }, 1);
    await admits(0);
    join();
    await admits(1);
    await admits(0, 'eve');
    setAway(true);
    assert.equal(await countOf(200, [0, 1], 'joe'), 100);
  });

  it('serve many calls with one exchange', async () => {
    const { nodes } = await open({ requests: 1_000 });
    const [one] = nodes;
    const calls = await Promise.all(Array.from({ length: 400 }, () => one!.call()));
    assert.equal(calls.filter(({ refusal }) => refusal === undefined).length, 400);
    assert.ok(one!.state.exchanges <= 4, `${one!.state.exchanges} exchanges`);
  });

  it('refuse without an exchange while nothing is left', async () => {
    const { nodes, admits } = await open({ requests: 2, periodSeconds: 3_600 });
    while (await admits(0));
    const before = nodes[0]!.state.exchanges;
    for (let time = 0; time < 50; time += 1) assert.equal(await admits(0), false);
    assert.equal(nodes[0]!.state.exchanges, before);
  });

  it('never admit more than the burst and the rate permit in total', async () => {
    const steps = fc.array(fc.record({ node: fc.nat(1), pause: fc.nat(400) }), {
      minLength: 20,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        const world = openNodes({ requests: 60, burst: 5 });
        try {
          const start = world.scheduler.now();
          let admitted = 0;
          for (const { node, pause } of calls) {
            await world.pass(pause);
            if (await world.admits(node)) admitted += 1;
            const permitted = 5 + (world.scheduler.now() - start) / 1_000;
            assert.ok(admitted <= permitted + 1e-6, `${admitted} calls, ${permitted} permitted`);
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('return what a node does not use', async () => {
    const { admits, pass } = await open({ requests: 12, periodSeconds: 86_400 });
    for (let time = 0; time < 4; time += 1) await admits(0);
    await pass(1_500);
    let admitted = 0;
    while (await admits(1)) admitted += 1;
    assert.equal(admitted, 8);
  });

  it('share the concurrent calls exactly', async () => {
    const { nodes, admits, pass } = await open({ concurrent: 3 });
    const running = [await nodes[0]!.call(), await nodes[1]!.call(), await nodes[1]!.call()];
    assert.ok(running.every(({ refusal }) => refusal === undefined));
    assert.deepEqual([await admits(0), await admits(1)], [false, false]);
    running[1]?.end();
    await pass(500);
    assert.equal(await admits(0), true);
    assert.equal(await admits(1), false);
  });

  it('free the concurrent calls of a node that ends', async () => {
    const { nodes, admits, pass } = await open({ concurrent: 1 });
    assert.ok(await admits(0));
    assert.equal(await admits(1), false);
    await nodes[0]!.shared.close();
    await pass(200);
    assert.ok(await admits(1));
  });

  for (const apartMs of [HOUR_MS, -HOUR_MS])
    it(`are the same for nodes whose monotonic clocks differ by ${apartMs} ms (bug: 429 for an hour)`, async () => {
      const { countOf, pass } = await open({ requests: 100, concurrent: 1_000 }, 2, apartMs);
      for (const first of [0, 1]) {
        assert.equal(await countOf(10, [first]), 10);
        // The first node holds some calls in advance.
        const admitted = await countOf(200, [1 - first]);
        assert.ok(admitted >= 80 && admitted <= 90, `${admitted} of 90`);
        await pass(62_000);
      }
    });

  it('have no calls left after the clock was set back, and then permit calls as before', async () => {
    const { admits, countOf, pass, setClock } = await open({ requests: 60, burst: 5 });
    assert.equal(await countOf(10, [0, 1]), 5);
    setClock(-HOUR_MS);
    await pass(5_000);
    assert.equal(await admits(1), false);
    await pass(1_000);
    assert.equal(await admits(1), true);
    assert.equal(await admits(1), false);
  });

  for (const byMs of [HOUR_MS, -HOUR_MS])
    it(`count the running calls of all nodes after the clock was set by ${byMs} ms`, async () => {
      const { admits, pass, setClock } = await open({ concurrent: 2 });
      assert.deepEqual([await admits(0), await admits(1)], [true, true]);
      await pass(3_000);
      setClock(byMs);
      await pass(5_000);
      assert.deepEqual([await admits(0), await admits(1)], [false, false]);
    });

  it('apply the share of a node while the database is away, and share again afterwards', async () => {
    const { nodes, countOf, pass, setAway } = await open({ requests: 10, periodSeconds: 86_400 });
    const states = () => nodes.map(({ status }) => status().shared);
    await pass(4_000);
    setAway(true);
    await pass(2_000);
    assert.equal((await countOf(20, [0])) + (await countOf(20, [1])), 10);
    assert.deepEqual(states(), ['share', 'share']);
    assert.match(JSON.stringify(nodes[0]!.lines), /counts of limits are not shared/);
    const metric = nodes[0]!.metrics().find(({ name }) => name === 'gatehouse_limits_shared');
    assert.deepEqual(metric && 'samples' in metric && metric.samples, [{ labels: {}, value: 0 }]);
    setAway(false);
    await pass(4_000);
    assert.deepEqual(states(), ['cluster', 'cluster']);
  });
});
