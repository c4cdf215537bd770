import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { Upstream } from '../../src/core/upstream.js';
import type { WrittenAdapter } from '../support/adapter-settings.js';
import { column } from '../support/columns.js';
import { problem } from '../support/failing.js';
import { freePort } from '../support/free-port.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { listenOnLoopback } from '../support/loopback.js';
import { until } from '../support/until.js';
import { GET, neverAborted, TOKEN_LOGIN, upstreamsOfTest } from './upstreams.js';

const unusedUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

describe('the health probe of an adapter', () => {
  let orchestrator: GuardedOrchestrator;
  let upstream: Upstream;
  const { opened, open: openUpstream } = upstreamsOfTest();
  beforeEach(async () => {
    orchestrator = await opened(startGuardedOrchestrator({ demand: 'token' }));
  });

  function open(more: WrittenAdapter = {}): () => Promise<number> {
    const health = { path: '/health?x=1' };
    upstream = openUpstream({ baseUrl: orchestrator.url, auth: TOKEN_LOGIN, health, ...more });
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
    for (const status of [401, 403, 500, 503]) {
      orchestrator.failNext({ status });
      const code = status < 500 ? 'upstream_auth' : 'upstream_failed';
      await assert.rejects(probe(), problem(code, new RegExp(String(status))));
    }
  });

  it('does not wait for calls in the queue', async () => {
    const probe = open({ queue: { concurrent: 1, waiting: 0 } });
    orchestrator.hold(true);
    const stuck = upstream.send(GET, neverAborted());
    await until(() => orchestrator.arrivals.some(({ target }) => target === '/data'));
    const probing = probe();
    await until(() => orchestrator.arrivals.some(({ target }) => target.startsWith('/health')));
    orchestrator.hold(false);
    await Promise.all([stuck, probing]);
  });

  it('succeeds when one of several base URLs responds, and reports each result to its breaker', async () => {
    const baseUrls = [await unusedUrl(), orchestrator.url];
    await open({ baseUrl: undefined, baseUrls, breaker: { failures: 1 } })();
    assert.deepEqual(column(upstream.status?.().baseUrls, 'breaker'), ['open', 'closed']);
  });

  it('fails with the reason when no base URL responds, and counts no failure for a cancelled probe', async () => {
    const probe = open({ baseUrl: 'http://127.0.0.1:1', breaker: { failures: 2 } });
    await assert.rejects(probe(), problem('upstream_unreachable'));
    const left = upstream.probe?.(AbortSignal.abort()) ?? Promise.resolve();
    await assert.rejects(left, problem('caller_gone'));
    assert.equal(upstream.status?.().baseUrls[0]?.failures, 1);
  });

  it('does not exist without a health path', () => {
    assert.equal(openUpstream({ baseUrl: orchestrator.url }).probe, undefined);
  });
});

describe('the connection check of an adapter without a health path', () => {
  let [url, bytes, connections] = ['', 0, 0];
  const { opened, open } = upstreamsOfTest();
  beforeEach(async () => {
    [bytes, connections] = [0, 0];
    const server = createServer((socket) => {
      connections += 1;
      socket.on('data', (chunk) => (bytes += chunk.length)).on('error', () => undefined);
    });
    url = `http://${(await opened(listenOnLoopback(server))).host}`;
  });

  async function check(written: WrittenAdapter): Promise<'absent' | 'ok'> {
    const { checkConnection } = open(written);
    if (!checkConnection) return 'absent';
    await checkConnection(neverAborted());
    return 'ok';
  }

  it('opens one connection and sends no bytes', async () => {
    assert.equal(await check({ baseUrl: url }), 'ok');
    assert.deepEqual([connections, bytes], [1, 0]);
  });

  it('reports a port that refuses connections', async () => {
    const checking = check({ baseUrl: await unusedUrl() });
    await assert.rejects(checking, problem('upstream_unreachable', /refuses connections/));
  });

  it('succeeds if one of several base URLs accepts connections', async () => {
    assert.equal(await check({ baseUrls: [await unusedUrl(), url] }), 'ok');
  });

  it('exists with an interval of 0 for tests on request, and not for the health type "none"', async () => {
    assert.equal(await check({ baseUrl: url, health: { intervalSeconds: 0 } }), 'ok');
    assert.equal(await check({ baseUrl: url, health: { type: 'none' } }), 'absent');
    assert.equal(connections, 1);
  });

  it('does not exist for an http: base URL behind a proxy, which would accept for an orchestrator that is down', async () => {
    assert.equal(await check({ baseUrl: await unusedUrl(), proxy: url }), 'absent');
    assert.equal(connections, 0);
  });
});
