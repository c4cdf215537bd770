import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../src/core/problem.js';
import { createEndpoints } from '../../../src/upstream/endpoint.js';
import { createAttempt } from '../../../src/upstream/policy/attempt.js';
import { createBalancer } from '../../../src/upstream/policy/balance.js';
import { createQueue } from '../../../src/upstream/policy/queue.js';
import { type Send, throughLayers, type UpstreamCall } from '../../../src/upstream/send.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { createUpstreamCall, disconnectCaller } from '../../support/inbound-call.js';

const REPLY = { status: 200, headers: {}, body: Buffer.alloc(0) };

/** Creates attempts on one base URL by default, whose breaker opens after one failure by default. */
function start(size = { concurrent: 1, waiting: 2 }, baseUrls = ['http://a'], failures = 1) {
  const clock = createFakeScheduler();
  const queue = createQueue({ ...size, waitMs: 1_000 }, { scheduler: clock });
  const settings = { baseUrls, breaker: { failures, openMs: 60_000 } };
  const endpoints = createEndpoints(settings, { clock, random: () => 0 });
  const balancer = createBalancer(endpoints, 'primary');
  const waits: number[] = [];
  const deps = { queue, balancer, clock, onWaited: (_call: UpstreamCall, ms: number) => waits.push(ms) };
  const attempt = (next: Send) => throughLayers([createAttempt(deps)], next);
  return { attempt, queue, endpoints, clock, waits };
}

describe('an attempt of a call', () => {
  const scheduler = createFakeScheduler();

  it('counts a call while it is in flight, and records its base URL', async () => {
    const { attempt, endpoints } = start();
    const upstreamCall = createUpstreamCall(scheduler);
    await attempt(({ endpoint }) => {
      assert.equal(endpoint.inFlight, 1);
      return Promise.resolve(REPLY);
    })(upstreamCall);
    assert.equal(endpoints[0].inFlight, 0);
    assert.deepEqual(upstreamCall.tried, [endpoints[0]]);
  });

  it('reports a failure to the breaker, and frees the slot', async () => {
    const { attempt, endpoints, queue } = start();
    const send = attempt(() => Promise.reject(new Problem('upstream_unreachable', 'no')));
    await assert.rejects(send(createUpstreamCall(scheduler)), problem('upstream_unreachable'));
    assert.deepEqual([endpoints[0].breaker.state(), endpoints[0].inFlight, queue.inFlight()], ['open', 0, 0]);
  });

  it('counts connections that fail after their callers have left, so that the next call uses another base URL (bug: the breaker never opened)', async () => {
    const size = { concurrent: 8, waiting: 8 };
    const { attempt, queue, endpoints, clock } = start(size, ['http://a', 'http://b'], 3);
    const send = attempt(async ({ endpoint, deadline }) => {
      deadline.phase = 'connecting';
      if (endpoint !== endpoints[0]) return REPLY;
      await new Promise<void>((resolve) => clock.after(5_000, resolve));
      throw new Problem('upstream_timeout', 'no connection to the target within 5000 ms');
    });
    const calls = [1, 2, 3].map(() => createUpstreamCall(clock));
    const ends = calls.map((call) => assert.rejects(send(call), problem('upstream_timeout')));
    await clock.pass(3_000);
    for (const call of calls) disconnectCaller(call);
    assert.equal(queue.inFlight(), 3, 'a connection that is being opened keeps its slot');
    await clock.pass(2_000);
    await Promise.all(ends);
    assert.deepEqual([endpoints[0].breaker.state(), queue.inFlight()], ['open', 0]);
    const next = createUpstreamCall(clock);
    assert.equal(await send(next), REPLY);
    assert.deepEqual(next.tried, [endpoints[1]]);
  });

  it('sends nothing while the breaker is open, and frees the slot', async () => {
    const { attempt, queue, endpoints } = start();
    endpoints[0].breaker.report('failed');
    const call = createUpstreamCall(scheduler);
    const send = attempt(() => assert.fail('it was sent'));
    await assert.rejects(send(call), problem('upstream_suspended'));
    assert.deepEqual([queue.inFlight(), endpoints[0].inFlight, call.tried], [0, 0, []]);
  });

  it('measures the wait for a slot', async () => {
    const { attempt, queue, clock, waits } = start();
    const [first, second] = [createUpstreamCall(clock), createUpstreamCall(clock)];
    const send = attempt(() => Promise.resolve(REPLY));
    await send(first);
    assert.equal(first.queuedMs, undefined);
    void queue.enter(first.deadline);
    const sending = send(second);
    await clock.pass(300);
    queue.leave();
    await sending;
    assert.deepEqual([second.queuedMs, waits], [300, [300]]);
  });

  it('sends nothing for a caller who leaves as the call is admitted, and frees the slot', async () => {
    const { attempt, queue, endpoints } = start();
    let sent = 0;
    const send = attempt(() => {
      sent += 1;
      return Promise.resolve(REPLY);
    });
    void queue.enter(createUpstreamCall(scheduler).deadline);
    const call = createUpstreamCall(scheduler);
    const sending = assert.rejects(send(call), problem('caller_gone'));
    queue.leave();
    disconnectCaller(call);
    await sending;
    assert.deepEqual([sent, queue.inFlight(), endpoints[0].inFlight, call.tried], [0, 0, 0, []]);
  });

  it('never exceeds its slots or its length, and is empty at the end', async () => {
    const events = fc.array(fc.constantFrom<Event>('come', 'finish', 'leave', 'wait'), { maxLength: 60 });
    const size = fc.integer({ min: 1, max: 4 });
    await fc.assert(
      fc.asyncProperty(size, size, events, (concurrent, waiting, list) =>
        runQueue({ concurrent, waiting }, list),
      ),
      { numRuns: 40 },
    );
  });
});

type Event = 'come' | 'finish' | 'leave' | 'wait';

/**
 * Adds and removes calls according to the events, checks the queue after each, and ends with an empty queue.
 */
async function runQueue(
  size: { concurrent: number; waiting: number },
  events: readonly Event[],
): Promise<void> {
  const { attempt, queue, clock } = start(size);
  const running: (() => void)[] = [];
  const calls: UpstreamCall[] = [];
  const ends: Promise<unknown>[] = [];
  const send = attempt(async () => {
    await new Promise<void>((resolve) => running.push(resolve));
    return REPLY;
  });
  const happen: Readonly<Record<Event, () => void>> = {
    come() {
      const call = createUpstreamCall(clock);
      calls.push(call);
      ends.push(send(call).catch(() => undefined));
    },
    finish: () => running.shift()?.(),
    leave() {
      const call = calls.shift();
      if (call) disconnectCaller(call);
    },
    wait: () => undefined,
  };
  for (const event of events) {
    happen[event]();
    await clock.pass(event === 'wait' ? 400 : 0);
    assert.ok(queue.inFlight() <= size.concurrent && queue.waiting() <= size.waiting);
  }
  while (running.length > 0 || queue.waiting() > 0) {
    running.shift()?.();
    await clock.pass(0);
  }
  await Promise.all(ends);
  assert.deepEqual([queue.inFlight(), queue.waiting(), clock.next()], [0, 0, undefined]);
}
