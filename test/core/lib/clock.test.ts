import assert from 'node:assert/strict';
import { monotonic, monotonicScheduler, systemScheduler } from '../../../src/core/lib/clock.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('a scheduler', () => {
  it('of the system calls back, and not when it was called off', async () => {
    let calledOff = false;
    systemScheduler.after(0, () => {
      calledOff = true;
    })();
    await new Promise<void>((resolve) => systemScheduler.after(1, resolve));
    assert.equal(calledOff, false);
  });

  it('of the system does not fire at once for a time beyond what a timer holds', async () => {
    let fired = false;
    const cancel = systemScheduler.after(2 ** 31 + 5, () => {
      fired = true;
    });
    await new Promise<void>((resolve) => systemScheduler.after(5, resolve));
    cancel();
    assert.equal(fired, false);
  });

  it('that is steady tells a time that nobody can set, near to that of the wall', () => {
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

  it('for durations is the steady one beside that of the system, and that of a test beside itself', () => {
    const time = createFakeScheduler();
    assert.deepEqual([monotonic(systemScheduler), monotonic(time)], [monotonicScheduler, time]);
  });

  it('of a test calls back in order, within the time that passes', async () => {
    const time = createFakeScheduler(0);
    const fired: string[] = [];
    time.after(20, () => fired.push(`b${time.now()}`));
    time.after(10, () => {
      fired.push(`a${time.now()}`);
      time.after(5, () => fired.push(`c${time.now()}`));
    });
    await time.pass(14);
    assert.deepEqual([fired, time.next()], [['a10'], 1]);
    await time.pass(100);
    assert.deepEqual([fired, time.now()], [['a10', 'c15', 'b20'], 114]);
  });
});
