import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { beforeDeadline, type Phase, withDeadline } from '../../src/upstream/deadline.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { createTrip, leave } from '../support/trip.js';

const never = new Promise<never>(() => undefined);

describe('the deadline of a call', () => {
  for (const [phase, code] of [
    ['waiting for its turn', 'upstream_busy'],
    ['logging in', 'upstream_timeout'],
    ['connecting', 'upstream_timeout'],
    ['reading the reply', 'upstream_timeout'],
  ] as const)
    it(`ends a call that is still ${phase} with ${code}`, async () => {
      const scheduler = createFakeScheduler();
      const late = withDeadline({ totalMs: 100, scheduler }, (deadline) => {
        deadline.phase = phase satisfies Phase;
        return never;
      });
      const ended = assert.rejects(late, problem(code, new RegExp(`100 ms: still ${phase}`)));
      await scheduler.pass(100);
      await ended;
    });

  it('leaves no timer and no listener behind', async () => {
    const scheduler = createFakeScheduler();
    const caller = new AbortController().signal;
    await withDeadline({ totalMs: 100, scheduler, caller }, () => Promise.resolve());
    assert.equal(scheduler.next(), undefined);
    assert.equal(getEventListeners(caller, 'abort').length, 0);
  });
});

describe('work that others wait for as well', () => {
  it('gives its result, and keeps nothing of the call', async () => {
    const { deadline } = createTrip(createFakeScheduler());
    assert.equal(await beforeDeadline(Promise.resolve(7), deadline), 7);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(getEventListeners(deadline.signal, 'abort').length, 0);
  });

  it('does not keep a call whose deadline fires, or has fired', async () => {
    const trip = createTrip(createFakeScheduler());
    const waiting = assert.rejects(beforeDeadline(never, trip.deadline), problem('caller_gone'));
    leave(trip);
    await waiting;
    await assert.rejects(beforeDeadline(never, trip.deadline), problem('caller_gone'));
  });
});
