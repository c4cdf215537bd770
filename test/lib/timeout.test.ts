import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { untilAborted, withTimeout } from '../../src/lib/timeout.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

describe('withTimeout', () => {
  const never = new Promise<string>(() => undefined);

  it('returns the result or the error of the work and leaves no timer', async () => {
    const scheduler = createFakeScheduler();
    const patience = { ms: 10, scheduler, late: () => 'late' };
    assert.equal(await withTimeout(Promise.resolve('done'), patience), 'done');
    await assert.rejects(withTimeout(Promise.reject(new Error('broken')), patience), /broken/);
    assert.equal(scheduler.next(), undefined);
  });

  it('returns or rejects with the fallback when the work is late', async () => {
    const scheduler = createFakeScheduler();
    const [given, failed] = [
      withTimeout(never, { ms: 10, scheduler, late: () => 'late' }),
      withTimeout(never, { ms: 10, scheduler, late: () => Promise.reject(new Error('too late')) }),
    ];
    const failing = assert.rejects(failed, /too late/);
    await scheduler.pass(10);
    assert.equal(await given, 'late');
    await failing;
  });
});

describe('untilAborted', () => {
  const never = new Promise<string>(() => undefined);

  it('keeps no listener on the signal after the work (bug: one for each replaced adapter)', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve('done'), signal), 'done');
    await assert.rejects(untilAborted(Promise.reject(new Error('broken')), signal), /broken/);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('rejects with the reason of the signal, also if the signal has fired before', async () => {
    const stop = new AbortController();
    const waiting = assert.rejects(untilAborted(never, stop.signal), /it stops/);
    stop.abort(new Error('it stops'));
    await waiting;
    await assert.rejects(untilAborted(never, stop.signal), /it stops/);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});
