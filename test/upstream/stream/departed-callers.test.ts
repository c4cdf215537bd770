import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import type { StreamReply, StreamRequest } from '../../../src/core/stream.js';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../../support/adapter-settings.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { startGuardedOrchestrator } from '../../support/guarded-orchestrator.js';
import { startHostileUpstream } from '../../support/hostile-upstream.js';
import { openedByTest } from '../../support/opened.js';
import { bodyOf, streamRequest } from '../../support/stream-request.js';
import { until } from '../../support/until.js';

const step = {
  request: { path: '/api/login', body: { password: 's3cret-of-ada' } },
  take: { token: '/data/0/token' },
};
const LOGIN = { type: 'login', steps: [step], apply: { header: 'X-Auth-Token: {token}' } };

describe('streams whose callers leave', () => {
  const opened = openedByTest();

  async function open(written: WrittenAdapter) {
    const scheduler = createFakeScheduler();
    const upstream = await opened(openUpstream(adapterSettings(written), {}, { scheduler, drainMs: 0 }));
    const pass = (request: StreamRequest, signal = new AbortController().signal): Promise<StreamReply> =>
      upstream.pass!(request, signal);
    return { pass, scheduler, upstream };
  }

  it('free their slot while their session is renewed (bug: until the login ended)', async () => {
    const guarded = await opened(startGuardedOrchestrator({ demand: 'token' }));
    const { pass, scheduler, upstream } = await open({
      baseUrl: guarded.url,
      auth: LOGIN,
      queue: { concurrent: 1 },
    });
    await bodyOf(await pass(streamRequest({ path: '/data' })));
    guarded.revoke();
    guarded.failNextLogin({ hang: true });
    await scheduler.pass(60_000);
    const before = guarded.arrivals.length;
    const leaving = new AbortController();
    const call = pass(streamRequest({ path: '/data' }), leaving.signal);
    const left = assert.rejects(call, problem('caller_gone'));
    await until(() => guarded.arrivals.length === before + 2);
    assert.deepEqual([guarded.arrivals.at(-1)!.target, upstream.status!().inFlight], ['/api/login', 1]);
    leaving.abort();
    await left;
    await until(() => upstream.status!().inFlight === 0 && upstream.status!().baseUrls[0]!.inFlight === 0);
  });

  for (const [work, auth, demand] of [
    ['connection', { type: 'none' }, 'none'],
    ['login', LOGIN, 'token'],
  ] as const)
    it(`report a ${work} that fails later, so that the next call uses another base URL`, async () => {
      const hostile = await opened(startHostileUpstream([() => undefined]));
      const second = await opened(startGuardedOrchestrator({ demand }));
      const baseUrls = [hostile.origin.replace('http:', 'https:'), second.url];
      const timeouts = { connectMs: 5_000 };
      const written = { baseUrls, auth, breaker: { failures: 2 }, timeouts };
      const { pass, scheduler, upstream } = await open(written);
      const leaving = new AbortController();
      const calls = [1, 2].map(() => pass(streamRequest({ path: '/data' }), leaving.signal));
      const left = calls.map((call) => assert.rejects(call, problem('caller_gone')));
      await until(() => hostile.connections() === (work === 'login' ? 1 : 2));
      leaving.abort(new Problem('caller_gone', 'the caller left'));
      await scheduler.pass(5_000);
      await Promise.all(left);
      assert.equal(upstream.status!().baseUrls[0]!.breaker, 'open');
      assert.match(await bodyOf(await pass(streamRequest({ path: '/data' }))), /data/);
      assert.deepEqual(second.done, ['GET /data']);
    });
});
