import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../src/core/problem.js';
import { createEndpoints } from '../../../src/upstream/endpoint.js';
import { createBalancer, resultOfError, resultOfReply } from '../../../src/upstream/policy/balance.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { createUpstreamCall, disconnectCaller } from '../../support/inbound-call.js';

const BALANCES = ['primary', 'round-robin', 'least-pending'] as const;

function start(balance: (typeof BALANCES)[number], names = ['a', 'b', 'c']) {
  const clock = createFakeScheduler();
  const baseUrls = names.map((name) => `http://${name}`);
  const settings = { baseUrls, breaker: { failures: 1, openMs: 1_000 } };
  const endpoints = createEndpoints(settings, { clock, random: () => 0 });
  const balancer = createBalancer(endpoints, balance);
  const choose = (tried: readonly string[] = []): string => {
    const { endpoint } = balancer.choose(endpoints.filter(({ url }) => tried.includes(nameOf(url))));
    return nameOf(endpoint.url);
  };
  return { clock, endpoints, balancer, choose };
}

const nameOf = (url: string): string => url.slice('http://'.length);

describe('the load balancer', () => {
  it('by primary chooses the first base URL, and the next while the breaker of the first is open', async () => {
    const { choose, endpoints, clock, balancer } = start('primary');
    assert.deepEqual([choose(), choose()], ['a', 'a']);
    endpoints[0].breaker.report('failed');
    assert.deepEqual([choose(), nameOf(balancer.current().url)], ['b', 'b']);
    await clock.pass(1_000);
    assert.equal(choose(), 'a');
    assert.equal(choose(), 'b', 'the first base URL has a trial call');
  });

  it('by round-robin chooses in turn', () => {
    const { choose, endpoints } = start('round-robin');
    assert.deepEqual([choose(), choose(), choose(), choose()], ['a', 'b', 'c', 'a']);
    endpoints[1]?.breaker.report('failed');
    assert.deepEqual([choose(), choose(), choose()], ['c', 'c', 'a']);
  });

  it('by least-pending chooses the base URL with the fewest calls', () => {
    const { choose, endpoints } = start('least-pending');
    for (const [at, endpoint] of endpoints.entries()) endpoint.inFlight = 3 - at;
    assert.equal(choose(), 'c');
  });

  for (const balance of BALANCES) {
    it(`by ${balance} prefers a base URL that the call has not tried`, () => {
      const { choose } = start(balance);
      assert.equal(choose(['a', 'c']), 'b');
      assert.ok(['a', 'b', 'c'].includes(choose(['a', 'b', 'c'])));
    });

    it(`by ${balance} refuses a call with Retry-After when all breakers are open`, async () => {
      const { choose, endpoints, clock } = start(balance);
      endpoints[0].breaker.report('failed');
      await clock.pass(500);
      for (const endpoint of endpoints) endpoint.breaker.report('failed');
      assert.throws(choose, (error) => {
        problem('upstream_suspended')(error);
        assert.deepEqual((error as Problem).extras.headers, { 'retry-after': '1' });
        return true;
      });
    });
  }

  for (const balance of ['round-robin', 'least-pending'] as const)
    it(`by ${balance} differs by at most one pending call between base URLs`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 200 }), (size, calls) => {
          const names = Array.from({ length: size }, (_, at) => `n${at}`);
          const { balancer, endpoints } = start(balance, names);
          for (let call = 0; call < calls; call += 1) balancer.choose([]).endpoint.inFlight += 1;
          const counts = endpoints.map(({ inFlight }) => inFlight);
          assert.ok(Math.max(...counts) - Math.min(...counts) <= 1);
        }),
      );
    });
});

describe('the result of an attempt', () => {
  const scheduler = createFakeScheduler();
  const reply = (status: number) => ({ status, headers: {}, body: Buffer.alloc(0) });

  it('counts each status as worked, failed or neither', () => {
    for (const [status, expected] of [
      [200, 'worked'],
      [404, 'worked'],
      [401, 'worked'],
      [429, 'worked'],
      [500, 'worked'],
      [502, 'failed'],
      [503, 'failed'],
      [504, 'failed'],
    ] as const)
      assert.equal(resultOfReply(reply(status)), expected, String(status));
  });

  it('counts each Problem as failed or neither', () => {
    for (const [code, expected] of [
      ['upstream_unreachable', 'failed'],
      ['upstream_timeout', 'failed'],
      ['upstream_bad_reply', 'failed'],
      ['upstream_too_large', 'neither'],
      ['upstream_auth', 'neither'],
      ['caller_gone', 'neither'],
    ] as const)
      assert.equal(resultOfError(new Problem(code, 'x'), createUpstreamCall(scheduler)), expected, code);
  });

  it('counts a call whose caller left as neither, and a call after its deadline as failed', () => {
    const [left, late] = [createUpstreamCall(scheduler), createUpstreamCall(scheduler)];
    left.deadline.phase = 'waiting for the reply';
    disconnectCaller(left);
    late.deadline.stop(new Problem('upstream_timeout', 'x'));
    assert.equal(resultOfError(new Problem('upstream_unreachable', 'x'), left), 'neither');
    assert.equal(resultOfError(new Error('destroyed'), late), 'failed');
  });

  it('counts a connection that failed as failed, also after its caller left or its deadline ended', () => {
    const [left, late] = [createUpstreamCall(scheduler), createUpstreamCall(scheduler)];
    disconnectCaller(left);
    late.deadline.stop(new Problem('upstream_timeout', 'x'));
    for (const call of [left, late])
      assert.equal(resultOfError(new Problem('upstream_unreachable', 'x'), call), 'failed');
    assert.equal(resultOfError(left.deadline.reason, left), 'neither', 'it was opened, and not used');
  });
});
