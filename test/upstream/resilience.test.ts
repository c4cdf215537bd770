import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Upstream, UpstreamStatus } from '../../src/core/upstream.js';
import type { UpstreamOptions } from '../../src/upstream/upstream-options.js';
import type { WrittenAdapter } from '../support/adapter-settings.js';
import { column, columns } from '../support/columns.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import type { Fault } from '../support/guarded-orchestrator/faults.js';
import { startHostileUpstream } from '../support/hostile-upstream.js';
import { startHttpProxy } from '../support/http-proxy.js';
import { listenOnLoopback } from '../support/loopback.js';
import { until } from '../support/until.js';
import { COOKIE_LOGIN, GET, neverAborted, PASSWORD, POST, upstreamsOfTest } from './upstreams.js';

const get = (path: string) => ({ ...GET, path });
const post = (path: string) => ({ ...POST, path });

function statusOf({ status }: Upstream): UpstreamStatus {
  assert.ok(status);
  return status();
}

/** Returns how often the orchestrator has processed each target. */
function timesDone({ done }: GuardedOrchestrator): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const one of done) times.set(one, (times.get(one) ?? 0) + 1);
  return times;
}

/** Creates a pseudo-random sequence, so that the faults are the same in each run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

describe('an upstream with a faulty orchestrator', () => {
  let orchestrator: GuardedOrchestrator;
  const { opened, open: openUpstream } = upstreamsOfTest();
  beforeEach(async () => {
    orchestrator = await opened(startGuardedOrchestrator());
  });

  function open(written: WrittenAdapter = {}, options: UpstreamOptions = {}): Upstream {
    const where = 'baseUrls' in written ? {} : { baseUrl: orchestrator.url };
    return openUpstream({ ...where, ...written }, { random: () => 0, ...options });
  }

  describe('that resets connections (U1, U4)', () => {
    const FAULTS: readonly Fault[] = [
      ...([{ resetBefore: true }, { resetAfter: true }, { cut: true }, { status: 503 }] as const),
      ...([{ none: true }, { none: true }] as const),
    ];

    /** Opens an upstream whose first 300 requests fail in ways that depend on the seed. */
    function openInStorm(seed: number, attempts: number): Upstream {
      const roll = createDice(seed);
      for (let at = 0; at < 300; at += 1)
        orchestrator.failNext(FAULTS[roll(FAULTS.length)] ?? { none: true });
      const retry = { attempts, budgetPercent: 100 };
      return open({ queue: { concurrent: 16 }, breaker: { failures: 0 }, retry });
    }

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      it(`never sends a ${method} twice, and reports the outcome that is known`, async () => {
        const upstream = openInStorm(7, 5);
        const calls = Array.from({ length: 300 }, (_, at) =>
          upstream.send({ ...post(`/${at}`), method }, neverAborted()),
        );
        const outcomes = await Promise.allSettled(calls);
        const times = timesDone(orchestrator);
        for (const [target, count] of times) assert.equal(count, 1, target);
        for (const [at, outcome] of outcomes.entries())
          if (outcome.status === 'fulfilled' && outcome.value.status === 200)
            assert.ok(times.has(`${method} /${at}`), 'was answered, but not processed');
        assert.ok(outcomes.some(({ status }) => status === 'rejected') && times.size > 100);
        const received = column(orchestrator.arrivals, 'target');
        assert.equal(new Set(received).size, received.length, 'was sent twice');
      });

    it('answers most GET requests, and returns to each caller the reply to its own request', async () => {
      const upstream = openInStorm(3, 6);
      const calls = Array.from({ length: 500 }, async (_, at) => {
        const { status, body } = await upstream.send(get(`/${at}`), neverAborted());
        return status === 200 ? (JSON.parse(body.toString()) as { target: string }).target : '';
      });
      const outcomes = await Promise.allSettled(calls);
      const targets = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : ''));
      for (const [at, target] of targets.entries()) if (target !== '') assert.equal(target, `/${at}`);
      const served = targets.filter((target) => target !== '').length;
      assert.ok(served > 450, `${served} of 500`);
    });
  });

  describe('that is overloaded (U2)', () => {
    it('limits concurrent and waiting calls, and refuses further calls at once', async () => {
      const upstream = open({ queue: { concurrent: 3, waiting: 2 }, retry: { attempts: 1 } });
      orchestrator.hold(true);
      const calls = Array.from({ length: 5 }, () => upstream.send(POST, neverAborted()));
      await until(() => orchestrator.arrivals.length === 3);
      await assert.rejects(upstream.send(POST, neverAborted()), problem('upstream_busy'));
      const { inFlight, waiting, refused, connections, idleConnections } = statusOf(upstream);
      assert.deepEqual([inFlight, waiting, refused, orchestrator.connections()], [3, 2, 1, 3]);
      assert.deepEqual([connections, idleConnections], [3, 0]);
      orchestrator.hold(false);
      for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
      assert.equal(orchestrator.done.length, 5);
      await until(() => statusOf(upstream).idleConnections >= 3);
      assert.equal(statusOf(upstream).idleConnections, statusOf(upstream).connections);
    });
  });

  describe('that is temporarily unavailable (U3)', () => {
    it('orchestrators review F10: a restart of two seconds costs little more than another second', async () => {
      const scheduler = createFakeScheduler();
      let isAway = true;
      const restarted = createServer((req, res) => (isAway ? req.socket.destroy() : res.end('{}')));
      const { host } = await opened(listenOnLoopback(restarted));
      const upstream = open({ baseUrl: `http://${host}` }, { scheduler });
      const works = async (): Promise<boolean> => {
        const sending = upstream.send(GET, neverAborted());
        const settled = Promise.allSettled([sending]);
        // Passes the pauses between attempts, which are 0 here.
        await scheduler.pass(0);
        const [{ status }] = await settled;
        return status === 'fulfilled';
      };
      const begun = scheduler.now();
      while (scheduler.now() - begun < 2_000) {
        assert.equal(await works(), false);
        await scheduler.pass(100);
      }
      isAway = false;
      const back = scheduler.now();
      while (!(await works())) await scheduler.pass(100);
      assert.ok(scheduler.now() - back <= 1_200, String(scheduler.now() - back));
    });
  });

  describe('whose callers leave (U5)', () => {
    it('closes the connections and frees the slots at once, in any phase of the call', async () => {
      const upstream = open({ queue: { concurrent: 2, waiting: 100 } });
      orchestrator.hold(true);
      for (let round = 0; round < 20; round += 1) {
        const callers = Array.from({ length: 6 }, () => new AbortController());
        const calls = callers.map(({ signal }) =>
          assert.rejects(upstream.send(POST, signal), problem('caller_gone')),
        );
        if (round % 2 === 0) await until(() => orchestrator.connections() === 2);
        for (const caller of callers) caller.abort();
        await Promise.all(calls);
        await until(() => statusOf(upstream).inFlight === 0 && orchestrator.connections() === 0);
        assert.equal(statusOf(upstream).waiting, 0);
      }
      orchestrator.hold(false);
      assert.equal((await upstream.send(GET, neverAborted())).status, 200);
      assert.deepEqual(columns(statusOf(upstream).baseUrls, 'breaker', 'failures'), [['closed', 0]]);
    });
  });

  describe('with several base URLs', () => {
    it('uses the second base URL while the first is down, and the first when it is available again', async () => {
      const scheduler = createFakeScheduler();
      const first = await startGuardedOrchestrator();
      const baseUrls = [first.url, orchestrator.url];
      const upstream = open({ baseUrls, breaker: { failures: 2, openMs: 1_000 } }, { scheduler });
      assert.equal(statusOf(upstream).current, first.url);
      await first.close();
      for (let call = 0; call < 5; call += 1)
        assert.equal((await upstream.send(POST, neverAborted())).status, 200);
      assert.equal(statusOf(upstream).retries, 2, 'the breaker lets later calls skip the first base URL');
      const again = await opened(startGuardedOrchestrator({ port: Number(new URL(first.url).port) }));
      await scheduler.pass(1_000);
      assert.equal((await upstream.send(POST, neverAborted())).status, 200);
      assert.deepEqual(again.done, ['POST /data']);
      assert.equal(statusOf(upstream).current, first.url);
    });

    it('uses the second base URL although no caller waits until the connection to the first fails (bug: it was never used)', async () => {
      const scheduler = createFakeScheduler();
      const first = await opened(startHostileUpstream([() => undefined]));
      const baseUrls = [first.origin.replace('http:', 'https:'), orchestrator.url];
      const timeouts = { connectMs: 5_000 };
      const upstream = open({ baseUrls, breaker: { failures: 3 }, timeouts }, { scheduler });
      const leaving = new AbortController();
      const calls = [1, 2, 3].map(() => upstream.send(GET, leaving.signal));
      await until(() => first.connections() === 3);
      leaving.abort();
      for (const call of calls) await assert.rejects(call, problem('caller_gone'));
      assert.equal(statusOf(upstream).inFlight, 3);
      await scheduler.pass(5_000);
      assert.equal(statusOf(upstream).inFlight, 0);
      assert.equal((await upstream.send(POST, neverAborted())).status, 200);
      assert.deepEqual([first.connections(), orchestrator.done], [3, ['POST /data']]);
    });

    it('uses the second base URL although no caller waits until the login at the first fails', async () => {
      const scheduler = createFakeScheduler();
      const first = await opened(startHostileUpstream([() => undefined]));
      const second = await opened(startGuardedOrchestrator({ demand: 'cookie' }));
      const upstream = open(
        {
          baseUrls: [first.origin.replace('http:', 'https:'), second.url],
          auth: COOKIE_LOGIN,
          breaker: { failures: 2, openMs: 10_000 },
          timeouts: { connectMs: 5_000 },
        },
        { scheduler },
      );
      const breaker = () => statusOf(upstream).baseUrls[0]?.breaker;
      const abandon = async (calls: number): Promise<void> => {
        const before = first.connections();
        const leaving = new AbortController();
        const ends = Array.from({ length: calls }, () =>
          assert.rejects(upstream.send(GET, leaving.signal), problem('caller_gone')),
        );
        await until(() => first.connections() > before);
        leaving.abort();
        await Promise.all(ends);
      };
      await abandon(2);
      assert.equal(statusOf(upstream).inFlight, 0);
      await scheduler.pass(5_000);
      assert.equal(breaker(), 'open');
      await scheduler.pass(10_000);
      await abandon(1);
      assert.equal((await upstream.send(GET, neverAborted())).status, 200, 'the trial call has not ended');
      await scheduler.pass(5_000);
      assert.equal(breaker(), 'open');
    });

    it('logs in to each base URL', async () => {
      const start = () => opened(startGuardedOrchestrator({ demand: 'cookie' }));
      const guarded = [await start(), await start()];
      const baseUrls = column(guarded, 'url');
      const upstream = open({ baseUrls, balance: 'round-robin', auth: COOKIE_LOGIN });
      for (let call = 0; call < 4; call += 1)
        assert.equal((await upstream.send(GET, neverAborted())).status, 200);
      assert.deepEqual(column(column(guarded, 'issued'), 'length'), [1, 1]);
    });
  });

  it('sends calls and logins through the proxy of the settings', async () => {
    const proxy = await opened(startHttpProxy());
    const guarded = await opened(startGuardedOrchestrator({ demand: 'oauth2' }));
    const tokenUrl = `${guarded.url}/oauth/token`;
    const auth = { type: 'oauth2', tokenUrl, clientId: 'ada', clientSecret: PASSWORD };
    const upstream = open({ baseUrls: [guarded.url], auth, proxy: proxy.url });
    assert.equal((await upstream.send(GET, neverAborted())).status, 200);
    assert.deepEqual(proxy.asked, [`POST ${guarded.url}/oauth/token`, `GET ${guarded.url}/data`]);
  });
});
