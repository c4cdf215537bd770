import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { finished } from 'node:stream';
import type { TlsMaterial } from '../../../src/core/http.js';
import type { StreamReply, StreamRequest } from '../../../src/core/stream.js';
import type { Upstream } from '../../../src/core/upstream.js';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../../support/adapter-settings.js';
import { makeCertificate } from '../../support/certificates.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { startGuardedOrchestrator } from '../../support/guarded-orchestrator.js';
import { startHostileUpstream } from '../../support/hostile-upstream.js';
import { startHttpProxy } from '../../support/http-proxy.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { openedBySuite } from '../../support/opened.js';
import {
  startStreamOrchestrator,
  type StreamOrchestrator,
  valuesOf,
} from '../../support/stream-orchestrator.js';
import { bodyOf, streamRequest } from '../../support/stream-request.js';
import { until } from '../../support/until.js';
import { GET, neverAborted, PASSWORD, TOKEN_LOGIN } from '../upstreams.js';

describe('streams of an adapter', () => {
  let orchestrator: StreamOrchestrator;
  const opened = openedBySuite();
  before(async () => {
    const deals: Parameters<typeof startStreamOrchestrator>[0] = {
      silent: (req) => req.resume(),
      begins: (_req, res) => res.write('a beginning'),
      ends: (_req, res) => res.end('an end'),
      deaf: (req) => req.pause(),
      broken: (_req, res) => res.writeHead(503).end(),
    };
    orchestrator = await opened(startStreamOrchestrator(deals));
  });

  function open(written: WrittenAdapter = {}, tls: TlsMaterial = {}) {
    const scheduler = createFakeScheduler();
    const settings = adapterSettings({ baseUrl: orchestrator.url, ...written });
    const upstream = openUpstream(settings, tls, { scheduler, drainMs: 5_000 });
    // Some upstreams are already closed.
    void opened({ close: () => closeNow(upstream).catch(() => undefined) });
    const pass = (request: StreamRequest, signal = neverAborted()): Promise<StreamReply> =>
      upstream.pass!(request, signal);
    const closeNow = async (one: Upstream): Promise<void> => {
      const closing = one.close();
      closing.catch(() => undefined);
      await scheduler.pass(5_000);
      await closing;
    };
    return { pass, scheduler, upstream };
  }

  for (const [demand, auth, target] of [
    ['basic', { type: 'basic', username: 'ada', password: PASSWORD }, '/data?a=b'],
    ['key-query', { type: 'query', name: 'apikey', value: 'k3y-of-ada' }, '/data?a=b&apikey=k3y-of-ada'],
    ['token', TOKEN_LOGIN, '/data?a=b'],
  ] as const)
    it(`send the credentials of the adapter: ${auth.type}`, async () => {
      const guarded = await opened(startGuardedOrchestrator({ demand }));
      const { pass } = open({ baseUrl: guarded.url, auth });
      const reply = await pass(streamRequest({ path: '/data?a=b' }));
      assert.equal(reply.status, 200, await bodyOf(reply));
      assert.deepEqual(guarded.done, [`GET ${target}`]);
    });

  it('without a body are retried with a new session; with a body only the next call uses it', async () => {
    const guarded = await opened(startGuardedOrchestrator({ demand: 'token' }));
    const { pass, scheduler } = open({ baseUrl: guarded.url, auth: TOKEN_LOGIN });
    const status = async (request: Parameters<typeof streamRequest>[0] = {}): Promise<number> => {
      const reply = await pass(streamRequest({ path: '/data', ...request }));
      await bodyOf(reply);
      return reply.status;
    };
    const post = { method: 'POST', text: '{}' };
    assert.equal(await status(), 200);
    guarded.revoke();
    await scheduler.pass(60_000);
    assert.equal(await status(), 200);
    guarded.revoke();
    await scheduler.pass(60_000);
    assert.equal(await status(post), 401);
    await until(() => guarded.issued.length === 3);
    assert.equal(await status(post), 200);
  });

  it('with a body on GET or DELETE have a connection of their own, unless isolateBodies is false', async () => {
    for (const isolateBodies of [true, false]) {
      const own = await opened(startStreamOrchestrator());
      const { pass } = open({ baseUrl: own.url, isolateBodies });
      for (const method of ['POST', 'GET', 'DELETE', 'POST'])
        assert.equal(await bodyOf(await pass(streamRequest({ method, text: '{}' }))), '{}');
      const sent = own.arrivals.map(({ rawHeaders }) => valuesOf(rawHeaders, 'connection').join());
      const ofRead = isolateBodies ? 'close' : 'keep-alive';
      assert.deepEqual(sent, ['keep-alive', ofRead, ofRead, 'keep-alive']);
      assert.equal(own.connections().ever, isolateBodies ? 3 : 1);
    }
  });

  it('occupy a slot until they end, while other calls wait', async () => {
    const { pass, upstream } = open({ queue: { concurrent: 1 } });
    const first = await pass(streamRequest({ path: '/begins' }));
    const second = pass(streamRequest({ path: '/ends' }));
    await until(() => upstream.status!().waiting === 1);
    assert.deepEqual([upstream.status!().inFlight, upstream.status!().baseUrls[0]!.inFlight], [1, 1]);
    first.body.destroy();
    assert.equal(await bodyOf(await second), 'an end');
    await until(() => upstream.status!().inFlight === 0 && upstream.status!().baseUrls[0]!.inFlight === 0);
  });

  it('finding F17: of one caller leave slots for other callers, and all streams leave slots for actions', async () => {
    const { pass, scheduler, upstream } = open({ queue: { concurrent: 8, waitMs: 1_000 } });
    const idle = (caller: string): Promise<StreamReply> =>
      pass({ ...streamRequest({ path: '/begins' }), caller });
    const opened = [await idle('ada'), await idle('ada')];
    const third = assert.rejects(
      idle('ada'),
      problem('upstream_busy', /1000 ms; 2 streams of this caller are in flight/),
    );
    assert.equal(upstream.status!().waiting, 1);
    opened.push(await idle('bob'), await idle('bob'));
    const fifth = assert.rejects(idle('eve'), problem('upstream_busy', /1000 ms; 4 streams are in flight/));
    const action = upstream.send({ ...GET, path: '/ends' }, neverAborted());
    assert.equal((await action).body.toString(), 'an end');
    await scheduler.pass(1_000);
    await Promise.all([third, fifth]);
    assert.equal(upstream.status!().refused, 2);
    for (const { body } of opened) body.destroy();
    await until(() => upstream.status!().inFlight === 0);
    assert.equal(await bodyOf(await pass({ ...streamRequest({ path: '/ends' }), caller: 'ada' })), 'an end');
  });

  it('free a slot that is granted as the caller leaves', async () => {
    const { pass, upstream } = open({ queue: { concurrent: 1 } });
    const { body } = await pass(streamRequest({ path: '/begins' }));
    const leaving = new AbortController();
    const second = assert.rejects(
      pass(streamRequest({ path: '/ends' }), leaving.signal),
      problem('caller_gone'),
    );
    await until(() => upstream.status!().waiting === 1);
    // Runs after the listeners of the adapter, in the same turn.
    finished(body, () => {
      leaving.abort();
    });
    body.destroy();
    await second;
    assert.equal(await bodyOf(await pass(streamRequest({ path: '/ends' }))), 'an end');
    await until(() => upstream.status!().inFlight === 0);
  });

  it('report failures to the breaker, which closes when a reply begins, not when it ends', async () => {
    const { pass, scheduler, upstream } = open({ breaker: { failures: 2, openMs: 1_000 } });
    const breaker = () => upstream.status!().baseUrls[0]!.breaker;
    for (let turn = 0; turn < 2; turn += 1) await bodyOf(await pass(streamRequest({ path: '/broken' })));
    assert.equal(breaker(), 'open');
    await assert.rejects(pass(streamRequest()), problem('upstream_suspended'));
    await scheduler.pass(1_200);
    const { body } = await pass(streamRequest({ path: '/begins' }));
    assert.equal(breaker(), 'closed');
    body.destroy();
  });

  it('go to another base URL when the first is unreachable, with the complete body', async () => {
    const { pass } = open({ baseUrl: undefined, baseUrls: ['http://127.0.0.1:1', orchestrator.url] });
    assert.equal(await bodyOf(await pass(streamRequest({ method: 'POST', text: 'whole' }))), 'whole');
  });

  it('end with upstream_timeout when the reply does not begin', async () => {
    const { pass, scheduler } = open({ timeouts: { firstByteMs: 700 } });
    const before = orchestrator.arrivals.length;
    const call = pass(streamRequest({ method: 'POST', path: '/silent', text: 'all of it' }));
    const refused = assert.rejects(
      call,
      problem('upstream_timeout', /did not begin its reply within 700 ms/),
    );
    await until(() => orchestrator.arrivals.at(before)?.isWhole === true);
    await until(() => scheduler.next() !== undefined && scheduler.next()! <= 700);
    await scheduler.pass(700);
    await refused;
  });

  it('end with upstream_timeout when the orchestrator stops reading the request', async () => {
    const { pass, scheduler } = open({ timeouts: { firstByteMs: 700 } });
    const chunks = Array.from({ length: 600 }, () => 'x'.repeat(64 * 1024));
    const call = pass(streamRequest({ method: 'POST', path: '/deaf', chunks }));
    const refused = assert.rejects(call, problem('upstream_timeout', /did not accept more of the request/));
    await until(() => (scheduler.next() ?? Infinity) <= 700);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await scheduler.pass(700);
    await refused;
  });

  it('end when no byte passes for idleMs, and not before', async () => {
    const { pass, scheduler } = open({ timeouts: { idleMs: 10_000 } });
    const { body } = await pass(streamRequest({ path: '/begins' }));
    body.resume();
    await scheduler.pass(9_999);
    assert.equal(body.destroyed, false);
    const failure = once(body, 'error');
    await scheduler.pass(20_000);
    problem('upstream_timeout')((await failure)[0]);
  });

  it('may finish after the adapter closes, and are aborted after the drain time', async () => {
    const { pass, scheduler, upstream } = open();
    const { body } = await pass(streamRequest({ path: '/begins' }));
    body.on('error', () => undefined).resume();
    let isClosed = false;
    const closing = upstream.close().then(() => (isClosed = true));
    await scheduler.pass(4_999);
    assert.deepEqual([isClosed, body.destroyed], [false, false]);
    await scheduler.pass(1);
    await closing;
    assert.equal(body.destroyed, true);
  });

  it('trust the CA of the adapter, and no other', async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    const server = createTlsServer(certificate, (req, res) => req.pipe(res));
    const { host } = await opened(listenOnLoopback(server));
    const baseUrl = `https://${host}`;
    const trusting = open({ baseUrl }, { ca: certificate.cert });
    const reply = await trusting.pass(streamRequest({ method: 'PUT', text: 'sealed' }));
    assert.equal(await bodyOf(reply), 'sealed');
    const refused = open({ baseUrl }).pass(streamRequest());
    await assert.rejects(refused, problem('upstream_unreachable', /self-signed/));
  });

  it('use the proxy of the adapter', async () => {
    const proxy = await opened(startHttpProxy());
    const { pass } = open({ proxy: proxy.url });
    assert.equal(await bodyOf(await pass(streamRequest({ path: '/ends?a=b' }))), 'an end');
    assert.deepEqual(proxy.asked, [`GET ${orchestrator.url}/ends?a=b`]);
  });

  it('refuse the credentials of the caller in their path, and a JWT in their query', async () => {
    for (const [path, authorization] of [
      ['/x?access_token=abc.def.ghi', 'Bearer abc.def.ghi'],
      ['/x?y=YWRhOnB3', 'Basic YWRhOnB3'],
      ['/x?token=eyJh.eyJp.c2ln', ''],
      ['/x?a=?&token=eyJh.eyJp.c2ln', ''],
      ['/x?token=1&%74oken=eyJh%2EeyJp.c2ln', ''],
    ] as const) {
      const headers = authorization === '' ? [] : [['Authorization', authorization] as const];
      const call = open().pass(streamRequest({ headers, path }));
      await assert.rejects(call, problem('invalid_path', /your token/), path);
    }
    // Other parameters with the name token.
    for (const query of ['token=page-2', 'token=1.2.3', 'next=eyJh.eyJp.c2ln'])
      await bodyOf(await open().pass(streamRequest({ path: `/ends?${query}` })));
  });

  it('send content-length 0 for a POST without a body', async () => {
    await bodyOf(await open().pass(streamRequest({ method: 'POST', path: '/ends' })));
    assert.deepEqual(valuesOf(orchestrator.arrivals.at(-1)!.rawHeaders, 'content-length'), ['0']);
  });

  it('leave no connection open that is pending when the adapter closes', async () => {
    const hostile = await opened(startHostileUpstream([() => undefined]));
    const { pass, upstream } = open({ baseUrl: hostile.origin.replace('http:', 'https:') });
    const call = pass(streamRequest());
    const refused = assert.rejects(call);
    await until(() => hostile.connections() === 1);
    await upstream.close();
    await refused;
  });
});
