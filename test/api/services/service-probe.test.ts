import assert from 'node:assert/strict';
import { cachedProbe } from '../../../src/api/services/service-probe.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('asking whether a service runs', () => {
  it('asks it once a second at most, however many ask', async () => {
    const scheduler = createFakeScheduler();
    let asked = 0;
    const isUp = cachedProbe(scheduler, () => Promise.resolve((asked += 1)));
    assert.deepEqual(await Promise.all([isUp(), isUp()]), [true, true]);
    await scheduler.pass(999);
    await isUp();
    assert.equal(asked, 1);
    await scheduler.pass(1);
    await isUp();
    assert.equal(asked, 2);
  });

  it('tells of one that fails, and of its return', async () => {
    const scheduler = createFakeScheduler();
    let isThere = false;
    const isUp = cachedProbe(scheduler, () =>
      isThere ? Promise.resolve() : Promise.reject(new Error('away')),
    );
    assert.equal(await isUp(), false);
    isThere = true;
    await scheduler.pass(1_000);
    assert.equal(await isUp(), true);
  });

  it('asks again after the clock was set back (bug: an answer stood for as long)', async () => {
    const scheduler = createFakeScheduler();
    let asked = 0;
    const isUp = cachedProbe(scheduler, () => Promise.resolve((asked += 1)));
    await isUp();
    scheduler.set(-3_600_000);
    await isUp();
    assert.equal(asked, 2);
  });

  it('waits two seconds for one that hangs, and asks it nothing more meanwhile (bug: as long as it hung)', async () => {
    const scheduler = createFakeScheduler();
    const answers: (() => void)[] = [];
    const isUp = cachedProbe(scheduler, () => new Promise<void>((resolve) => answers.push(resolve)));
    const first = isUp();
    await scheduler.pass(2_000);
    assert.equal(await first, false);
    await scheduler.pass(60_000);
    assert.equal(await isUp(), false);
    assert.equal(answers.length, 1);
    answers[0]?.();
    await scheduler.pass(0);
    const second = isUp();
    answers[1]?.();
    assert.equal(await second, true);
  });
});
