import assert from 'node:assert/strict';
import type { Upstream } from '../../src/core/upstream.js';
import { openUpstream } from '../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';
import { problem } from '../support/failing.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { openedByTest } from '../support/opened.js';
import { until } from '../support/until.js';

const neverAborted = (): AbortSignal => new AbortController().signal;
const get = { method: 'GET', path: '/data', headers: {} } as const;

describe('the health probe of an adapter', () => {
  let orchestrator: GuardedOrchestrator;
  let upstream: Upstream;
  const opened = openedByTest();
  beforeEach(async () => {
    orchestrator = await opened(startGuardedOrchestrator({ demand: 'token' }));
  });

  function open(more: WrittenAdapter = {}): () => Promise<number> {
    const request = { path: '/api/login', body: { password: 's3cret-of-ada' } };
    const auth = {
      type: 'login',
      steps: [{ request, take: { token: '/data/0/token' } }],
      apply: { header: 'X-Auth-Token: {token}' },
    };
    const written = { baseUrl: orchestrator.url, auth, health: { path: '/health?x=1' }, ...more };
    upstream = openUpstream(adapterSettings(written), {});
    void opened(upstream);
    const { probe } = upstream;
    assert.ok(probe);
    return () => probe(neverAborted());
  }

  it('requests its path with the credentials of the adapter', async () => {
    await open()();
    assert.deepEqual(orchestrator.done, ['GET /health?x=1']);
  });

  it('sends the fixed headers of the adapter', async () => {
    open();
    await upstream.probe?.(neverAborted(), { 'x-tenant': 'blue' });
    assert.equal(orchestrator.arrivals.at(-1)?.headers['x-tenant'], 'blue');
  });

  it('returns any status below 500, except for 401 and 403', async () => {
    const probe = open({ auth: { type: 'none' } });
    for (const status of [200, 302, 404, 429]) {
      orchestrator.failNext({ status });
      assert.equal(await probe(), status);
    }
    for (const [status, code] of [
      [401, 'upstream_auth'],
      [403, 'upstream_auth'],
      [500, 'upstream_failed'],
      [503, 'upstream_failed'],
    ] as const) {
      // prettier-ignore
      orchestrator.failNext({ status });
      await assert.rejects(probe(), problem(code, new RegExp(String(status))));
    }
  });

  it('does not wait for calls in the queue', async () => {
    const probe = open({ queue: { concurrent: 1, waiting: 0 } });
    orchestrator.hold(true);
    const stuck = upstream.send(get, neverAborted());
    await until(() => orchestrator.arrivals.some(({ target }) => target === '/data'));
    const probing = probe();
    await until(() => orchestrator.arrivals.some(({ target }) => target.startsWith('/health')));
    orchestrator.hold(false);
    await Promise.all([stuck, probing]);
  });

  it('succeeds when one of several base URLs responds, and reports each result to its breaker', async () => {
    const away = await startGuardedOrchestrator();
    await away.close();
    const probe = open({
      baseUrl: undefined,
      baseUrls: [away.url, orchestrator.url],
      breaker: { failures: 1 },
    });
    await probe();
    const states = upstream.status?.().baseUrls.map(({ breaker }) => breaker);
    assert.deepEqual(states, ['open', 'closed']);
  });

  it('fails with the reason when no base URL responds, and counts no failure for a cancelled probe', async () => {
    const probe = open({ baseUrl: 'http://127.0.0.1:1', breaker: { failures: 2 } });
    await assert.rejects(probe(), problem('upstream_unreachable'));
    const caller = new AbortController();
    caller.abort();
    await assert.rejects(upstream.probe?.(caller.signal) ?? Promise.resolve(), problem('caller_gone'));
    assert.equal(upstream.status?.().baseUrls[0]?.failures, 1);
  });

  it('does not exist without a health path', () => {
    assert.equal(openUpstream(adapterSettings({ baseUrl: orchestrator.url }), {}).probe, undefined);
  });
});
