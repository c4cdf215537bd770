import assert from 'node:assert/strict';
import { withTimeout } from '../../../src/core/lib/timeout.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

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
