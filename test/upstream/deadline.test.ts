import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import { beforeDeadline, type AbortListener, type Phase, withDeadline } from '../../src/upstream/deadline.js';
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

  it('ends in time although the system clock is set back an hour meanwhile', async () => {
    const wall = Date.now;
    try {
      const late = withDeadline({ totalMs: 1 }, () => never);
      Date.now = () => wall() - 3_600_000;
      await assert.rejects(late, problem('upstream_timeout', /1 ms/));
    } finally {
      Date.now = wall;
    }
  });

  it('leaves no timer and no listener', async () => {
    const scheduler = createFakeScheduler();
    const caller = new AbortController().signal;
    await withDeadline({ totalMs: 100, scheduler, caller }, () => Promise.resolve());
    const broken = withDeadline({ totalMs: 100, scheduler, caller }, () => {
      throw new Error('at once');
    });
    await assert.rejects(broken, /at once/);
    assert.equal(scheduler.next(), undefined);
    assert.equal(getEventListeners(caller, 'abort').length, 0);
  });
});

describe('calls with the same time limit', () => {
  /** Starts a call that lasts until its deadline, or until `end` settles it. */
  function start() {
    const scheduler = createFakeScheduler();
    const results: string[] = [];
    const begin = (name: string): ((result: string) => void) => {
      let end: (result: string) => void = () => undefined;
      const terms = { totalMs: 100, scheduler };
      const work = new Promise<string>((resolve) => {
        end = resolve;
      });
      const call = withDeadline(terms, () => work);
      const note = (result: string) => results.push(`${name} ${result}`);
      call.then(note, (error: unknown) => note((error as Problem).code));
      return end;
    };
    return { scheduler, begin, results };
  }

  it('end in the order in which they began, each at its time', async () => {
    const { scheduler, begin, results } = start();
    begin('first');
    await scheduler.pass(40);
    begin('second');
    await scheduler.pass(59);
    assert.deepEqual(results, []);
    await scheduler.pass(1);
    assert.deepEqual(results, ['first upstream_timeout']);
    assert.equal(scheduler.next(), 40);
    await scheduler.pass(40);
    assert.deepEqual(results, ['first upstream_timeout', 'second upstream_timeout']);
    assert.equal(scheduler.next(), undefined);
  });

  it('end at their time although an earlier call has ended', async () => {
    const { scheduler, begin, results } = start();
    const endFirst = begin('first');
    await scheduler.pass(40);
    begin('second');
    endFirst('done');
    await scheduler.pass(0);
    await scheduler.pass(99);
    assert.deepEqual(results, ['first done']);
    await scheduler.pass(1);
    assert.deepEqual(results, ['first done', 'second upstream_timeout']);
  });

  it('each end exactly once, by their end or their time, whatever their order (property)', async () => {
    const durations = fc.array(fc.record({ startsAfter: fc.nat(60), lasts: fc.nat(200) }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(durations, async (calls) => {
        const { scheduler, begin, results } = start();
        const expected: string[] = [];
        for (const [at, { startsAfter, lasts }] of calls.entries()) {
          await scheduler.pass(startsAfter);
          const end = begin(String(at));
          if (lasts < 100)
            scheduler.after(lasts, () => {
              end('done');
            });
          expected.push(`${at} ${lasts < 100 ? 'done' : 'upstream_timeout'}`);
        }
        await scheduler.pass(200);
        assert.deepEqual(results.sort(), expected.sort());
        assert.equal(scheduler.next(), undefined);
      }),
      { numRuns: 40 },
    );
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
