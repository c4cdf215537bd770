import assert from 'node:assert/strict';
import { createSemaphore } from '../../../src/core/lib/semaphore.js';

/** Creates work that runs until a test ends it. */
function endless() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => { end(); } }; // prettier-ignore
}

describe('createSemaphore', () => {
  it('runs and queues work up to its limits and rejects further work at once', async () => {
    const turns = createSemaphore({ atOnce: 2, waiting: 1 });
    const [one, two, three, four] = [endless(), endless(), endless(), endless()];
    const order: string[] = [];
    const run = (name: string, { work }: ReturnType<typeof endless>) =>
      turns.run(() => {
        order.push(name);
        return work();
      });
    const running = [run('one', one), run('two', two), run('three', three)];
    assert.equal(run('four', four), undefined);
    assert.deepEqual(order, ['one', 'two']);
    one.end();
    await running[0];
    await Promise.resolve();
    assert.deepEqual(order, ['one', 'two', 'three']);
    assert.notEqual(run('four', four), undefined);
    for (const each of [two, three, four]) each.end();
    await Promise.all(running.map((one) => one ?? Promise.resolve()));
  });

  it('continues after work that fails', async () => {
    const turns = createSemaphore({ atOnce: 1, waiting: 1 });
    const failing = turns.run(() => Promise.reject(new Error('broken')));
    const next = turns.run(() => Promise.resolve('done'));
    await assert.rejects(failing ?? Promise.resolve(), /broken/);
    assert.equal(await next, 'done');
    assert.equal(await turns.run(() => Promise.resolve('again')), 'again');
  });
});
