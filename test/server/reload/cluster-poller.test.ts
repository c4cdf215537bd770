import assert from 'node:assert/strict';
import { ClusterPoller } from '../../../src/server/reload/cluster-poller.js';
import { createRevisionPoll } from '../../../src/server/reload/config-reloader.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

/** A watch over a revision of the test's choice; counts what it tells. */
function setUp() {
  const scheduler = createFakeScheduler();
  const world = { kept: 3, live: 3, told: 0, isAway: false, isHearing: true };
  let onNews = (): void => undefined;
  const look = createRevisionPoll({
    revision: () => (world.isAway ? Promise.reject(new Error('away')) : Promise.resolve(world.kept)),
    live: () => world.live,
    onChange: () => {
      world.told += 1;
    },
  });
  const watch = new ClusterPoller({
    polls: [() => Promise.reject(new Error('another one that fails')), look],
    subscribe: (listener) => {
      onNews = listener;
      return {
        close: () => {
          world.isHearing = false;
          return Promise.resolve();
        },
      };
    },
    scheduler,
  });
  const passSecond = (): Promise<void> => scheduler.pass(1_000);
  const hear = (): Promise<void> => {
    onNews();
    return scheduler.pass(0);
  };
  return { world, watch, look: passSecond, hear, next: () => scheduler.next() };
}

describe('ClusterPoller', () => {
  it('reports a changed revision once, and nothing without a change', async () => {
    const { world, look, watch } = setUp();
    await look();
    assert.equal(world.told, 0);
    world.kept = 4;
    await look();
    await look();
    assert.equal(world.told, 1);
    await watch.close();
  });

  it('does not report a revision that is already live', async () => {
    const { world, look, watch } = setUp();
    Object.assign(world, { kept: 4, live: 4 });
    await look();
    assert.equal(world.told, 0);
    await watch.close();
  });

  it('polls immediately after a notification, and again a second later', async () => {
    const { world, hear, look, next, watch } = setUp();
    world.kept = 4;
    await hear();
    assert.equal(world.told, 1);
    assert.equal(next(), 1_000);
    world.kept = 5;
    await look();
    assert.equal(world.told, 2);
    await watch.close();
  });

  it('polls once more after a notification during a poll, which may have read too early', async () => {
    const { world, hear, watch } = setUp();
    const first = hear();
    const second = hear();
    world.kept = 4;
    await Promise.all([first, second]);
    assert.equal(world.told, 1);
    await watch.close();
  });

  it('continues after a database outage', async () => {
    const { world, look, watch } = setUp();
    Object.assign(world, { isAway: true, kept: 4 });
    await look();
    world.isAway = false;
    await look();
    assert.equal(world.told, 1);
    await watch.close();
  });

  it('stops polling and unsubscribes once it is closed', async () => {
    const { world, look, hear, watch } = setUp();
    await watch.close();
    world.kept = 4;
    await hear();
    await look();
    assert.equal(world.told, 0);
    assert.equal(world.isHearing, false);
  });
});
