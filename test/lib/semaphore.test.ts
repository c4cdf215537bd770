import assert from 'node:assert/strict';
import { Semaphore } from '../../src/lib/semaphore.js';

/** Creates work that runs until a test ends it. */
function endless() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => { end(); } }; // prettier-ignore
}

describe('Semaphore', () => {
  it('starts work up to its slots, and queues the rest in order', async () => {
    const semaphore = new Semaphore(2);
    const [one, two, three] = [endless(), endless(), endless()];
    const order: string[] = [];
    const run = (name: string, { work }: ReturnType<typeof endless>) =>
      semaphore.run(() => {
        order.push(name);
        return work();
      });
    const running = [run('one', one), run('two', two)];
    running.push(run('three', three));
    assert.deepEqual(order, ['one', 'two']);
    one.end();
    await running[0];
    await Promise.resolve();
    assert.deepEqual(order, ['one', 'two', 'three']);
    for (const each of [two, three]) each.end();
    await Promise.all(running);
  });

  it('frees the slot of work that fails', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.run(() => Promise.reject(new Error('broken')));
    const next = semaphore.run(() => Promise.resolve('done'));
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 'done');
    assert.equal(await semaphore.run(() => Promise.resolve('again')), 'again');
  });

  it('hands a released slot to the first that waits', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const order: number[] = [];
    const waiting = [1, 2].map((at) => semaphore.acquire().then(() => order.push(at)));
    semaphore.release();
    await waiting[0];
    assert.deepEqual(order, [1]);
    semaphore.release();
    await waiting[1];
    assert.deepEqual(order, [1, 2]);
  });

  it('leaves the queue when its signal fires, and gives the slot to the next', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const caller = new AbortController();
    const leaving = assert.rejects(semaphore.acquire(caller.signal), /the caller left/);
    const next = semaphore.acquire(new AbortController().signal);
    caller.abort(new Error('the caller left'));
    await leaving;
    semaphore.release();
    await next;
    await assert.rejects(semaphore.acquire(caller.signal), /the caller left/);
  });

  it('gives a slot without waiting only if one is free', () => {
    const semaphore = new Semaphore(1);
    assert.equal(semaphore.tryAcquire(), true);
    assert.equal(semaphore.tryAcquire(), false);
    semaphore.release();
    assert.equal(semaphore.tryAcquire(), true);
  });
});
