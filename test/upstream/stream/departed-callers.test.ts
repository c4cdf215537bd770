import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import type { StreamReply, StreamRequest } from '../../../src/core/stream.js';
import type { WrittenAdapter } from '../../support/adapter-settings.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { startGuardedOrchestrator } from '../../support/guarded-orchestrator.js';
import { startHostileUpstream } from '../../support/hostile-upstream.js';
import { bodyOf, streamRequest } from '../../support/stream-request.js';
import { until } from '../../support/until.js';
import { neverAborted, TOKEN_LOGIN, upstreamsOfTest } from '../upstreams.js';

const DATA = streamRequest({ path: '/data' });

describe('streams whose callers leave', () => {
  const { opened, open: openUpstream } = upstreamsOfTest();

  function open(written: WrittenAdapter) {
    const scheduler = createFakeScheduler();
    const upstream = openUpstream(written, { scheduler, drainMs: 0 });
    const pass = (request: StreamRequest, signal = neverAborted()): Promise<StreamReply> =>
      upstream.pass!(request, signal);
    return { pass, scheduler, upstream };
  }

  it('free their slot while their session is renewed (bug: until the login ended)', async () => {
    const guarded = await opened(startGuardedOrchestrator({ demand: 'token' }));
    const written = { baseUrl: guarded.url, auth: TOKEN_LOGIN, queue: { concurrent: 1 } };
    const { pass, scheduler, upstream } = open(written);
    await bodyOf(await pass(DATA));
    guarded.revoke();
    guarded.failNextLogin({ hang: true });
    await scheduler.pass(60_000);
    const before = guarded.arrivals.length;
    const leaving = new AbortController();
    const call = pass(DATA, leaving.signal);
    const left = assert.rejects(call, problem('caller_gone'));
    await until(() => guarded.arrivals.length === before + 2);
    assert.deepEqual([guarded.arrivals.at(-1)!.target, upstream.status!().inFlight], ['/api/login', 1]);
    leaving.abort();
    await left;
    await until(() => upstream.status!().inFlight === 0 && upstream.status!().baseUrls[0]!.inFlight === 0);
  });

  for (const [work, auth, demand] of [
    ['connection', { type: 'none' }, 'none'],
    ['login', TOKEN_LOGIN, 'token'],
  ] as const)
    it(`report a ${work} that fails later, so that the next call uses another base URL`, async () => {
      const hostile = await opened(startHostileUpstream([() => undefined]));
      const second = await opened(startGuardedOrchestrator({ demand }));
      const baseUrls = [hostile.origin.replace('http:', 'https:'), second.url];
      const timeouts = { connectMs: 5_000 };
      const written = { baseUrls, auth, breaker: { failures: 2 }, timeouts };
      const { pass, scheduler, upstream } = open(written);
      const leaving = new AbortController();
      const calls = [1, 2].map(() => pass(DATA, leaving.signal));
      const left = calls.map((call) => assert.rejects(call, problem('caller_gone')));
      await until(() => hostile.connections() === (work === 'login' ? 1 : 2));
      leaving.abort(new Problem('caller_gone', 'the caller left'));
      await scheduler.pass(5_000);
      await Promise.all(left);
      assert.equal(upstream.status!().baseUrls[0]!.breaker, 'open');
      assert.match(await bodyOf(await pass(DATA)), /data/);
      assert.deepEqual(second.done, ['GET /data']);
    });
});
