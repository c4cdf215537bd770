import assert from 'node:assert/strict';
import { createWriteBuffer } from '../../src/auth/write-buffer.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

describe('the outbox', () => {
  function open(size?: number) {
    const scheduler = createFakeScheduler();
    const world = { isAway: false, sent: [] as (readonly string[])[] };
    const send = (items: readonly string[]): Promise<void> => {
      if (world.isAway) return Promise.reject(new Error('away'));
      world.sent.push(items);
      return Promise.resolve();
    };
    return {
      world,
      scheduler,
      outbox: createWriteBuffer({ write: send, scheduler, ...(size !== undefined && { maxSize: size }) }),
    };
  }

  it('writes what comes within a second together, and nothing twice', async () => {
    const { world, scheduler, outbox } = open();
    for (const item of ['a', 'b']) outbox.add(item);
    await scheduler.pass(999);
    assert.deepEqual(world.sent, []);
    await scheduler.pass(1);
    outbox.add('c');
    await outbox.flush();
    await scheduler.pass(5_000);
    assert.deepEqual(world.sent, [['a', 'b'], ['c']]);
    assert.equal(scheduler.next(), undefined);
  });

  it('tries every second what could not be written', async () => {
    const { world, scheduler, outbox } = open();
    world.isAway = true;
    outbox.add('a');
    await assert.rejects(outbox.flush(), /away/);
    await scheduler.pass(3_000);
    world.isAway = false;
    await scheduler.pass(1_000);
    assert.deepEqual(world.sent, [['a']]);
  });

  it('holds so many and no more, and drops the oldest', async () => {
    const { world, outbox } = open(2);
    for (const item of ['a', 'b', 'c']) outbox.add(item);
    await outbox.flush();
    assert.deepEqual(world.sent, [['b', 'c']]);
  });

  it('tries once more when it closes, and then no more', async () => {
    const { world, scheduler, outbox } = open();
    outbox.add('a');
    await outbox.close();
    assert.deepEqual(world.sent, [['a']]);
    world.isAway = true;
    outbox.add('b');
    await outbox.close();
    assert.equal(scheduler.next(), undefined);
  });
});
