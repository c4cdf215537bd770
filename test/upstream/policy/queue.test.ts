import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { createQueue, withConcurrencyLimit } from '../../../src/upstream/policy/queue.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { createUpstreamCall, disconnectCaller } from '../../support/inbound-call.js';
import type { UpstreamCall } from '../../../src/upstream/send.js';

const REPLY = { status: 200, headers: {}, body: Buffer.alloc(0) };

describe('the queue of an adapter', () => {
  const scheduler = createFakeScheduler();
  const settings = { concurrent: 1, waiting: 2, waitMs: 1_000 };

  it('admits calls at once while it has free slots', () => {
    const queue = createQueue({ ...settings, concurrent: 2 });
    assert.equal(queue.enter(createUpstreamCall(scheduler).deadline), undefined);
    assert.equal(queue.enter(createUpstreamCall(scheduler).deadline), undefined);
    assert.deepEqual([queue.inFlight(), queue.waiting()], [2, 0]);
  });

  it('admits waiting calls in the order of their arrival', async () => {
    const queue = createQueue(settings);
    const order: string[] = [];
    void queue.enter(createUpstreamCall(scheduler).deadline);
    const second = queue.enter(createUpstreamCall(scheduler).deadline)?.then(() => order.push('second'));
    const third = queue.enter(createUpstreamCall(scheduler).deadline)?.then(() => order.push('third'));
    queue.leave();
    await second;
    queue.leave();
    await third;
    assert.deepEqual(order, ['second', 'third']);
    queue.leave();
    assert.deepEqual([queue.inFlight(), queue.waiting()], [0, 0]);
  });

  it('refuses a call at once with Retry-After when the queue is full', () => {
    const queue = createQueue({ ...settings, waiting: 0 });
    void queue.enter(createUpstreamCall(scheduler).deadline);
    assert.throws(
      () => queue.enter(createUpstreamCall(scheduler).deadline),
      (error) => {
        problem('upstream_busy', /1 calls are in flight, and 0 are waiting/)(error);
        assert.deepEqual((error as { extras: { headers?: unknown } }).extras.headers, { 'retry-after': '1' });
        return true;
      },
    );
    assert.equal(queue.refused(), 1);
  });

  it('refuses a call that has waited too long, and frees its position', async () => {
    const queue = createQueue({ ...settings, waiting: 1 });
    void queue.enter(createUpstreamCall(scheduler).deadline);
    const late = assert.rejects(
      async () => queue.enter(createUpstreamCall(scheduler).deadline),
      problem('upstream_busy', /within 1000 ms/),
    );
    await scheduler.pass(1_000);
    await late;
    assert.equal(queue.waiting(), 0);
    assert.equal(scheduler.next(), undefined);
  });

  it('releases a caller who leaves the queue, without a timer or a listener', async () => {
    const queue = createQueue(settings);
    void queue.enter(createUpstreamCall(scheduler).deadline);
    const call = createUpstreamCall(scheduler);
    const left = assert.rejects(async () => queue.enter(call.deadline), problem('caller_gone'));
    disconnectCaller(call);
    await left;
    assert.deepEqual([queue.waiting(), queue.inFlight()], [0, 1]);
    assert.equal(scheduler.next(), undefined);
    assert.equal(getEventListeners(call.deadline.signal, 'abort').length, 0);
  });

  it('frees the slot when sending fails', async () => {
    const queue = createQueue(settings);
    const send = withConcurrencyLimit({ queue, clock: scheduler }, () => Promise.reject(new Error('no')));
    await assert.rejects(send(createUpstreamCall(scheduler)), /no/);
    assert.equal(queue.inFlight(), 0);
  });

  it('sends nothing for a caller who leaves as the call is admitted, and frees the slot', async () => {
    const queue = createQueue(settings);
    let sent = 0;
    const send = withConcurrencyLimit({ queue, clock: scheduler }, () => {
      sent += 1;
      return Promise.resolve(REPLY);
    });
    void queue.enter(createUpstreamCall(scheduler).deadline);
    const call = createUpstreamCall(scheduler);
    const sending = assert.rejects(send(call), problem('caller_gone'));
    queue.leave();
    disconnectCaller(call);
    await sending;
    assert.deepEqual([sent, queue.inFlight()], [0, 0]);
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
  const clock = createFakeScheduler();
  const queue = createQueue({ ...size, waitMs: 1_000 });
  const running: (() => void)[] = [];
  const calls: UpstreamCall[] = [];
  const ends: Promise<unknown>[] = [];
  const send = withConcurrencyLimit({ queue, clock }, async () => {
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
