import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { createWaiting } from '../../../src/server/workers/waiting.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('connections that wait for a worker', () => {
  it('are returned once, in their order, without those that were closed', () => {
    const waiting = createWaiting(10, createFakeScheduler());
    const [first, closed, last] = [new Socket(), new Socket(), new Socket()];
    for (const socket of [first, closed, last]) waiting.add(socket);
    closed.destroy();
    assert.deepEqual(waiting.take(), [first, last]);
    assert.deepEqual(waiting.take(), []);
  });

  it('are closed after 30 seconds: the starter does not notice that their clients have left', async () => {
    const clock = createFakeScheduler();
    const waiting = createWaiting(10, clock);
    const [early, late] = [new Socket(), new Socket()];
    waiting.add(early);
    await clock.pass(20_000);
    waiting.add(late);
    await clock.pass(9_999);
    assert.deepEqual([early.destroyed, late.destroyed], [false, false]);
    await clock.pass(1);
    assert.deepEqual([early.destroyed, late.destroyed], [true, false]);
    await clock.pass(20_000);
    assert.equal(late.destroyed, true);
    assert.equal(clock.next(), undefined);
  });

  it('are closed beyond the limit, and with the server', () => {
    const clock = createFakeScheduler();
    const waiting = createWaiting(1, clock);
    const [kept, excess] = [new Socket(), new Socket()];
    waiting.add(kept);
    waiting.add(excess);
    assert.deepEqual([kept.destroyed, excess.destroyed], [false, true]);
    waiting.close();
    assert.equal(kept.destroyed, true);
    assert.equal(clock.next(), undefined);
  });
});
