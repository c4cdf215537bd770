import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { Problem } from '../../../src/core/problem.js';
import { createQueue } from '../../../src/upstream/policy/queue.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { createUpstreamCall, disconnectCaller } from '../../support/inbound-call.js';

describe('the queue of an adapter', () => {
  const scheduler = createFakeScheduler();
  const settings = { concurrent: 1, waiting: 2, waitMs: 1_000 };

  const enter = (queue: ReturnType<typeof createQueue>) =>
    queue.enter(createUpstreamCall(scheduler).deadline);

  it('admits calls at once while it has free slots', async () => {
    const queue = createQueue({ ...settings, concurrent: 2 }, { scheduler });
    await enter(queue);
    assert.ok(queue.tryEnter());
    assert.ok(!queue.tryEnter());
    assert.deepEqual([queue.inFlight(), queue.waiting()], [2, 0]);
  });

  it('admits waiting calls in the order of their arrival', async () => {
    const queue = createQueue(settings, { scheduler });
    const order: string[] = [];
    void enter(queue);
    const second = enter(queue).then(() => order.push('second'));
    const third = enter(queue).then(() => order.push('third'));
    queue.leave();
    await second;
    queue.leave();
    await third;
    assert.deepEqual(order, ['second', 'third']);
    queue.leave();
    assert.deepEqual([queue.inFlight(), queue.waiting()], [0, 0]);
  });

  it('refuses a call at once with Retry-After when the queue is full', async () => {
    const queue = createQueue({ ...settings, waiting: 0 }, { scheduler });
    void enter(queue);
    await assert.rejects(
      async () => enter(queue),
      (error) => {
        problem('upstream_busy', /1 calls are in flight, and 0 are waiting/)(error);
        assert.deepEqual((error as Problem).extras.headers, { 'retry-after': '1' });
        return true;
      },
    );
    assert.equal(queue.refused(), 1);
  });

  it('limits the wait of each call, and has no timer when the last has a slot', async () => {
    const queue = createQueue(settings, { scheduler });
    void enter(queue);
    const second = enter(queue);
    await scheduler.pass(400);
    const third = assert.rejects(async () => enter(queue), problem('upstream_busy', /within 1000 ms/));
    queue.leave();
    await second;
    await scheduler.pass(999);
    assert.equal(queue.waiting(), 1);
    await scheduler.pass(1);
    await third;
    assert.deepEqual([queue.waiting(), queue.refused(), scheduler.next()], [0, 1, undefined]);
  });

  it('releases a caller who leaves the queue, without a timer or a listener', async () => {
    const queue = createQueue(settings, { scheduler });
    void enter(queue);
    const call = createUpstreamCall(scheduler);
    const left = assert.rejects(async () => queue.enter(call.deadline), problem('caller_gone'));
    disconnectCaller(call);
    await left;
    assert.deepEqual([queue.waiting(), queue.inFlight()], [0, 1]);
    assert.equal(scheduler.next(), undefined);
    assert.equal(getEventListeners(call.deadline.signal, 'abort').length, 0);
  });
});
