import assert from 'node:assert/strict';
import { cachedProbe } from '../../../src/features/health/probes.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('cachedProbe', () => {
  function countedProbe() {
    const scheduler = createFakeScheduler();
    let count = 0;
    const isUp = cachedProbe(scheduler, () => Promise.resolve((count += 1)));
    return { scheduler, isUp, count: () => count };
  }

  it('probes the service at most once a second for any number of callers', async () => {
    const { scheduler, isUp, count } = countedProbe();
    assert.deepEqual(await Promise.all([isUp(), isUp()]), [true, true]);
    await scheduler.pass(999);
    await isUp();
    assert.equal(count(), 1);
    await scheduler.pass(1);
    await isUp();
    assert.equal(count(), 2);
  });

  it('reports a failure and the recovery', async () => {
    const scheduler = createFakeScheduler();
    let isRunning = false;
    const isUp = cachedProbe(scheduler, () =>
      isRunning ? Promise.resolve() : Promise.reject(new Error('away')),
    );
    assert.equal(await isUp(), false);
    isRunning = true;
    await scheduler.pass(1_000);
    assert.equal(await isUp(), true);
  });

  it('probes again after the clock was set back (bug: the cached result lived for the size of the step)', async () => {
    const { scheduler, isUp, count } = countedProbe();
    await isUp();
    scheduler.set(-3_600_000);
    await isUp();
    assert.equal(count(), 2);
  });

  it('waits two seconds for a service that does not answer and sends no second probe meanwhile (bug: waited without limit)', async () => {
    const scheduler = createFakeScheduler();
    const resolvers: (() => void)[] = [];
    const isUp = cachedProbe(scheduler, () => new Promise<void>((resolve) => resolvers.push(resolve)));
    const first = isUp();
    await scheduler.pass(2_000);
    assert.equal(await first, false);
    await scheduler.pass(60_000);
    assert.equal(await isUp(), false);
    assert.equal(resolvers.length, 1);
    resolvers[0]?.();
    await scheduler.pass(0);
    const second = isUp();
    resolvers[1]?.();
    assert.equal(await second, true);
  });
});
