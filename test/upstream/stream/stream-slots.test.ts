import assert from 'node:assert/strict';
import { createQueue } from '../../../src/upstream/policy/queue.js';
import { createStreamSlots } from '../../../src/upstream/stream/stream-slots.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('the slots of streams', () => {
  const scheduler = createFakeScheduler();
  const terms = { totalMs: 60_000, scheduler };
  const open = (concurrent: number, waiting = 0) => {
    const settings = { concurrent, waiting, waitMs: 1_000 };
    const queue = createQueue(settings, { scheduler });
    const { take, ...slots } = createStreamSlots(settings, queue, scheduler);
    // A slot that is free is taken without a promise.
    return { queue, slots: { ...slots, take: async (...terms: Parameters<typeof take>) => take(...terms) } };
  };

  for (const [concurrent, ofOne, ofAll] of [
    [1, 1, 1],
    [3, 1, 1],
    [7, 1, 3],
    [64, 16, 32],
  ] as const)
    it(`finding F17: are ${ofAll} of ${concurrent}, and ${ofOne} of one caller`, async () => {
      const { queue, slots } = open(concurrent);
      const takeAll = async (caller: string | undefined, count: number) => {
        const releases = [];
        for (let at = 0; at < count; at += 1) releases.push(await slots.take(caller, terms));
        return releases;
      };
      const releases = await takeAll('ada', ofOne);
      await assert.rejects(slots.take('ada', terms), problem('upstream_busy', /streams of this caller/));
      releases.push(...(await takeAll(undefined, ofAll - ofOne)));
      await assert.rejects(slots.take('bob', terms), problem('upstream_busy', /streams are in flight/));
      assert.deepEqual([queue.inFlight(), slots.refused()], [ofAll, 2]);
      for (const release of releases) release();
      assert.equal(queue.inFlight(), 0);
      await takeAll('ada', ofOne);
    });

  it('pass to the next stream that waits', async () => {
    const { queue, slots } = open(4, 1);
    const release = await slots.take('ada', terms);
    const second = slots.take('ada', terms);
    assert.equal(slots.waiting(), 1);
    release();
    const releaseSecond = await second;
    assert.deepEqual([slots.waiting(), queue.inFlight()], [0, 1]);
    releaseSecond();
    assert.equal(queue.inFlight(), 0);
  });

  it('are released by a caller that leaves while it waits for the slots of all calls', async () => {
    const { queue, slots } = open(2, 1);
    queue.tryEnter();
    queue.tryEnter();
    const leaving = new AbortController();
    const waiting = assert.rejects(
      slots.take('ada', { ...terms, caller: leaving.signal }),
      problem('caller_gone'),
    );
    leaving.abort();
    await waiting;
    queue.leave();
    const release = await slots.take('ada', terms);
    release();
    assert.equal(queue.inFlight(), 1);
  });

  it('count a refusal for lack of slots for all calls only once', async () => {
    const { queue, slots } = open(1);
    queue.tryEnter();
    await assert.rejects(slots.take('ada', terms), problem('upstream_busy', /1 calls are in flight/));
    assert.deepEqual([queue.refused(), slots.refused()], [1, 0]);
  });
});
