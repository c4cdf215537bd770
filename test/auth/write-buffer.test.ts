import assert from 'node:assert/strict';
import { createWriteBuffer } from '../../src/auth/write-buffer.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

describe('createRevocationPublisher', () => {
  function open(size?: number) {
    const scheduler = createFakeScheduler();
    const store = { isAway: false, sent: [] as (readonly string[])[] };
    const send = (items: readonly string[]): Promise<void> => {
      if (store.isAway) return Promise.reject(new Error('away'));
      store.sent.push(items);
      return Promise.resolve();
    };
    return {
      store,
      scheduler,
      publisher: createWriteBuffer({ write: send, scheduler, ...(size !== undefined && { maxSize: size }) }),
    };
  }

  it('batches the items of a second and sends each item once', async () => {
    const { store, scheduler, publisher } = open();
    for (const item of ['a', 'b']) publisher.add(item);
    await scheduler.pass(999);
    assert.deepEqual(store.sent, []);
    await scheduler.pass(1);
    publisher.add('c');
    await publisher.flush();
    await scheduler.pass(5_000);
    assert.deepEqual(store.sent, [['a', 'b'], ['c']]);
    assert.equal(scheduler.next(), undefined);
  });

  it('retries failed items every second', async () => {
    const { store, scheduler, publisher } = open();
    store.isAway = true;
    publisher.add('a');
    await assert.rejects(publisher.flush(), /away/);
    await scheduler.pass(3_000);
    store.isAway = false;
    await scheduler.pass(1_000);
    assert.deepEqual(store.sent, [['a']]);
  });

  it('keeps the newest items up to its size', async () => {
    const { store, publisher } = open(2);
    for (const item of ['a', 'b', 'c']) publisher.add(item);
    await publisher.flush();
    assert.deepEqual(store.sent, [['b', 'c']]);
  });

  it('sends pending items once when it closes and does not retry', async () => {
    const { store, scheduler, publisher } = open();
    publisher.add('a');
    await publisher.close();
    assert.deepEqual(store.sent, [['a']]);
    store.isAway = true;
    publisher.add('b');
    await publisher.close();
    assert.equal(scheduler.next(), undefined);
  });
});
