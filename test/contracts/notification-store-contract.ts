import assert from 'node:assert/strict';
import type { Mute } from '../../src/core/notification.js';
import type { NotificationState, NotificationStore } from '../../src/features/notifications/notification.js';
import type { Store } from '../../src/features/store.js';
import { column } from '../support/columns.js';

function stateOf(receiver: string, id: string, changes: Partial<NotificationState> = {}): NotificationState {
  return {
    receiver,
    problem: {
      id,
      severity: 'warning',
      code: 'breaker-open',
      title: 'nso1.example.com has an open circuit breaker',
      cause: 'timeout',
      since: 1,
      adapters: ['nso1.example.com'],
      tags: ['core'],
    },
    firstAt: 1_800_000_000_000,
    sentAt: null,
    missingAt: null,
    ...changes,
  };
}

/** Defines the tests of the store of notifications for every database. `open` returns a store of the same database. */
export function notificationStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let notifications: NotificationStore;
  before(async () => {
    store = await open();
    ({ notifications } = store);
  });
  after(() => store.close());
  const statesOf = async (name: string) =>
    (await notifications.states()).filter(({ receiver }) => receiver === name);

  it('keeps what was sent, per receiver and problem', async () => {
    const sent = stateOf('noc', 'a', { sentAt: 1_800_000_000_001, missingAt: 1_800_000_000_002 });
    const states = [stateOf('noc', 'a'), stateOf('noc', 'b')];
    await notifications.saveStates({ stored: states, removed: [] });
    await notifications.saveStates({ stored: [stateOf('chat', 'a')], removed: [] });
    const removed = ['b', 'unknown'].map((problem) => ({ receiver: 'noc', problem }));
    await notifications.saveStates({ stored: [sent], removed });
    const found = await notifications.states();
    const byName = [...found].sort((one, other) => one.receiver.localeCompare(other.receiver));
    assert.deepEqual(byName, [stateOf('chat', 'a'), sent]);
  });

  it('keeps mutes in the order of their ends, and removes those that have ended', async () => {
    const by = { subject: 's', issuer: 'i', name: 'ada' };
    const core = { kind: 'tag', name: 'core', reason: 'works', by } as const;
    const mute = (id: string, at: number, until: number): Mute => ({ ...core, id, at, until });
    await notifications.addMute(mute('late', 0, 30));
    await notifications.addMute(mute('soon', 0, 10));
    assert.deepEqual(await notifications.mutes(), [mute('soon', 0, 10), mute('late', 0, 30)]);
    await notifications.addMute(mute('new', 10, 20));
    assert.deepEqual(column(await notifications.mutes(), 'id'), ['new', 'late']);
    const gone = [await notifications.removeMute('new'), await notifications.removeMute('new')];
    assert.deepEqual(gone, [true, false]);
  });

  it('keeps the latest acknowledgement of a problem', async () => {
    const first = { problem: 'a', note: 'looking', by: null, at: 1 };
    await notifications.acknowledge(first);
    await notifications.acknowledge({ ...first, note: 'cable ordered', at: 2 });
    assert.deepEqual(await notifications.acknowledgements(), [{ ...first, note: 'cable ordered', at: 2 }]);
    assert.deepEqual([await notifications.withdraw('a'), await notifications.withdraw('a')], [true, false]);
  });

  it('replaces no state whose message is later (bug: a node without the database overwrote the messages of another node)', async () => {
    const late = stateOf('ops', 'a', { sentAt: 30 });
    await notifications.saveStates({ stored: [late], removed: [] });
    await notifications.saveStates({ stored: [stateOf('ops', 'a', { sentAt: 20 })], removed: [] });
    await notifications.saveStates({ stored: [stateOf('ops', 'a')], removed: [] });
    assert.deepEqual(await statesOf('ops'), [late]);
    const removed = [{ receiver: 'ops', problem: 'a' }];
    await notifications.saveStates({ stored: [stateOf('ops', 'a')], removed });
    assert.deepEqual(await statesOf('ops'), [stateOf('ops', 'a')]);
  });

  it('keeps thousands of states in one write', async () => {
    const ids = Array.from({ length: 7_000 }, (_, at) => `p${at}`);
    await notifications.saveStates({ stored: ids.map((id) => stateOf('many', id)), removed: [] });
    assert.equal((await statesOf('many')).length, ids.length);
    const removed = ids.map((problem) => ({ receiver: 'many', problem }));
    await notifications.saveStates({ stored: [], removed });
    assert.deepEqual(await statesOf('many'), []);
  });

  const report = (id: string) => ({ problems: [stateOf('noc', id).problem], failures: {} });

  it('has one sender, which gets the reports of all live processes', async () => {
    const now = Date.now();
    const terms = { now, ttlMs: 3_600_000 };
    for (const id of ['a', 'a', 'b']) {
      const published = await notifications.publish(report(id), terms);
      assert.deepEqual([published.isSender, published.reports], [true, [report(id)]]);
    }
    assert.deepEqual(await notifications.reports(now), []);
    const other = await open();
    // A store of another process, unless the database is private to one connection.
    if ((await other.notifications.states()).length > 0) {
      const second = await other.notifications.publish(report('c'), terms);
      assert.deepEqual([second.isSender, second.reports], [false, []]);
      assert.deepEqual(await notifications.reports(now), [report('c')]);
      const { isSender, reports } = await notifications.publish(report('b'), terms);
      assert.equal(isSender, true);
      const ids = reports.flatMap(({ problems }) => column(problems, 'id'));
      assert.deepEqual(new Set(ids), new Set(['b', 'c']));
    }
    await other.close();
  });

  it('has another sender when the time of the former one is over, whose report is gone', async () => {
    const terms = { now: Date.now() + 10_000_000, ttlMs: -1 };
    await notifications.publish(report('a'), terms);
    const other = await open();
    const next = await other.notifications.publish(report('d'), { ...terms, ttlMs: 3_600_000 });
    assert.deepEqual([next.isSender, next.reports], [true, [report('d')]]);
    await other.close();
  });
}
