import assert from 'node:assert/strict';
import { monotonic, monotonicScheduler, systemScheduler } from '../../src/lib/clock.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

describe('schedulers', () => {
  it('the system scheduler runs a timer and does not run a cancelled one', async () => {
    let calledOff = false;
    systemScheduler.after(0, () => {
      calledOff = true;
    })();
    await new Promise<void>((resolve) => systemScheduler.after(1, resolve));
    assert.equal(calledOff, false);
  });

  it('the system scheduler does not run a timer early if its delay exceeds the limit of setTimeout', async () => {
    let fired = false;
    const cancel = systemScheduler.after(2 ** 31 + 5, () => {
      fired = true;
    });
    await new Promise<void>((resolve) => systemScheduler.after(5, resolve));
    cancel();
    assert.equal(fired, false);
  });

  it('the monotonic scheduler is independent of Date.now and close to the system time', () => {
    const wall = Date.now;
    const before = monotonicScheduler.now();
    try {
      Date.now = () => 0;
      assert.ok(monotonicScheduler.now() >= before);
    } finally {
      Date.now = wall;
    }
    assert.ok(Math.abs(before - Date.now()) < 86_400_000);
  });

  it('monotonic returns the monotonic scheduler for the system scheduler and a fake scheduler unchanged', () => {
    const time = createFakeScheduler();
    assert.deepEqual([monotonic(systemScheduler), monotonic(time)], [monotonicScheduler, time]);
  });
});
