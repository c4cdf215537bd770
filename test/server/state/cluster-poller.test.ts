import assert from 'node:assert/strict';
import { ClusterPoller, createRevisionPoll } from '../../../src/server/state/cluster-poller.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

function setUp() {
  const scheduler = createFakeScheduler();
  const state = { stored: 3, live: 3, reports: 0, isUnavailable: false, isSubscribed: true };
  let onNotification = (): void => undefined;
  const poll = createRevisionPoll({
    revision: () => (state.isUnavailable ? Promise.reject(new Error('away')) : Promise.resolve(state.stored)),
    live: () => state.live,
    onChange: () => void (state.reports += 1),
  });
  const poller = new ClusterPoller({
    polls: [() => Promise.reject(new Error('another one that fails')), poll],
    subscribe: (listener) => {
      onNotification = listener;
      return { close: () => Promise.resolve(void (state.isSubscribed = false)) };
    },
    scheduler,
  });
  const passSecond = (): Promise<void> => scheduler.pass(1_000);
  const notify = (): Promise<void> => {
    onNotification();
    return scheduler.pass(0);
  };
  return { state, poller, poll: passSecond, notify, next: () => scheduler.next() };
}

describe('ClusterPoller', () => {
  it('reports a changed revision once, and nothing without a change', async () => {
    const { state, poll } = setUp();
    await poll();
    assert.equal(state.reports, 0);
    state.stored = 4;
    await poll();
    await poll();
    assert.equal(state.reports, 1);
  });

  it('does not report a revision that is already live', async () => {
    const { state, poll } = setUp();
    Object.assign(state, { stored: 4, live: 4 });
    await poll();
    assert.equal(state.reports, 0);
  });

  it('polls immediately after a notification, and again a second later', async () => {
    const { state, notify, poll, next } = setUp();
    state.stored = 4;
    await notify();
    assert.equal(state.reports, 1);
    assert.equal(next(), 1_000);
    state.stored = 5;
    await poll();
    assert.equal(state.reports, 2);
  });

  it('polls once more after a notification during a poll, which may have read too early', async () => {
    const { state, notify } = setUp();
    const first = notify();
    const second = notify();
    state.stored = 4;
    await Promise.all([first, second]);
    assert.equal(state.reports, 1);
  });

  it('continues after a database outage', async () => {
    const { state, poll } = setUp();
    Object.assign(state, { isUnavailable: true, stored: 4 });
    await poll();
    state.isUnavailable = false;
    await poll();
    assert.equal(state.reports, 1);
  });

  it('stops polling and unsubscribes once it is closed', async () => {
    const { state, poll, notify, poller } = setUp();
    await poller.close();
    state.stored = 4;
    await notify();
    await poll();
    assert.equal(state.reports, 0);
    assert.equal(state.isSubscribed, false);
  });
});

describe('createRevisionPoll', () => {
  it('reports a revision that it finds twice, if the revision must persist', async () => {
    const state = { stored: 3, live: 3, reports: 0 };
    const poll = createRevisionPoll({
      revision: () => Promise.resolve(state.stored),
      live: () => state.live,
      onChange: () => void (state.reports += 1),
      mustPersist: true,
    });
    // A change of this process: stored, and live before the next poll.
    state.stored = 4;
    await poll();
    state.live = 4;
    await poll();
    assert.equal(state.reports, 0);
    // A change of another process.
    state.stored = 5;
    await poll();
    assert.equal(state.reports, 0);
    await poll();
    await poll();
    assert.equal(state.reports, 1);
  });
});
