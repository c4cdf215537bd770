import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { beforeDeadline, type AbortListener, type Phase, withDeadline } from '../../src/upstream/deadline.js';
import { Problem } from '../../src/core/problem.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { createUpstreamCall, disconnectCaller } from '../support/inbound-call.js';

const never = new Promise<never>(() => undefined);

describe('the deadline of a call', () => {
  for (const [phase, code] of [
    ['waiting for a slot', 'upstream_busy'],
    ['logging in', 'upstream_timeout'],
    ['connecting', 'upstream_timeout'],
    ['reading the reply', 'upstream_timeout'],
  ] as const)
    it(`ends a call in the phase "${phase}" with ${code}`, async () => {
      const scheduler = createFakeScheduler();
      const late = withDeadline({ totalMs: 100, scheduler }, (deadline) => {
        deadline.phase = phase satisfies Phase;
        return never;
      });
      const ended = assert.rejects(late, problem(code, new RegExp(`100 ms: still ${phase}`)));
      await scheduler.pass(100);
      await ended;
    });

  it('leaves no timer and no listener', async () => {
    const scheduler = createFakeScheduler();
    const caller = new AbortController().signal;
    await withDeadline({ totalMs: 100, scheduler, caller }, () => Promise.resolve());
    assert.equal(scheduler.next(), undefined);
    assert.equal(getEventListeners(caller, 'abort').length, 0);
  });

  it('leaves no timer and no listener when the work throws synchronously', async () => {
    const scheduler = createFakeScheduler();
    const caller = new AbortController().signal;
    const broken = withDeadline({ totalMs: 100, scheduler, caller }, () => {
      throw new Error('at once');
    });
    await assert.rejects(broken, /at once/);
    assert.equal(scheduler.next(), undefined);
    assert.equal(getEventListeners(caller, 'abort').length, 0);
  });
});

describe('the cancellation of a call', () => {
  it('notifies each listener once, and a later listener at once', () => {
    const call = createUpstreamCall(createFakeScheduler());
    const { deadline } = call;
    const notifications: string[] = [];
    const notify = (who: string) => (reason: Error) => notifications.push(`${who}: ${reason.message}`);
    deadline.onEnd(notify('one'));
    deadline.onEnd(notify('nobody'))();
    disconnectCaller(call);
    deadline.stop(new Problem('upstream_timeout', 'too late'));
    deadline.onEnd(notify('late'));
    assert.deepEqual(notifications, ['one: the caller left', 'late: the caller left']);
    assert.throws(() => {
      deadline.check();
    }, problem('caller_gone'));
  });

  it('aborts the signal, whether it was requested before or after', () => {
    const call = createUpstreamCall(createFakeScheduler());
    const before = call.deadline.signal;
    assert.ok(!before.aborted);
    disconnectCaller(call);
    assert.equal(before.reason, call.deadline.reason);
    assert.equal(call.deadline.signal, before);
    const other = createUpstreamCall(createFakeScheduler());
    disconnectCaller(other);
    assert.ok(other.deadline.signal.aborted);
  });
});

describe('beforeDeadline', () => {
  it('returns the result of shared work, and leaves no listener', async () => {
    const { deadline } = createUpstreamCall(createFakeScheduler());
    const listening = new Set<AbortListener>();
    const watched = {
      onEnd(listener: AbortListener) {
        listening.add(listener);
        return () => listening.delete(listener);
      },
    };
    assert.equal(await beforeDeadline(Promise.resolve(7), watched), 7);
    assert.equal(listening.size, 0);
    assert.equal(await beforeDeadline(Promise.resolve(8), deadline), 8);
  });

  it('rejects when the deadline fires or has fired', async () => {
    const call = createUpstreamCall(createFakeScheduler());
    const waiting = assert.rejects(beforeDeadline(never, call.deadline), problem('caller_gone'));
    disconnectCaller(call);
    await waiting;
    await assert.rejects(beforeDeadline(never, call.deadline), problem('caller_gone'));
  });
});
