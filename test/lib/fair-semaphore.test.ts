import assert from 'node:assert/strict';
import { FairSemaphore } from '../../src/lib/fair-queue.js';

/** Starts runs that a test ends one by one, in the order of their start. */
function openRuns(semaphore: FairSemaphore) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const start = (owner: string) =>
    semaphore.run(owner, () => {
      started.push(owner);
      return new Promise<string>((resolve) => {
        ends.push(() => {
          resolve(owner);
        });
      });
    });
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { started, start, endNext };
}

const LIMITS = { maxItems: 4, maxItemsPerOwner: 3 };

describe('FairSemaphore', () => {
  it('runs up to its slots at once, and lets the waiting owners take turns', async () => {
    const { started, start, endNext } = openRuns(new FairSemaphore(1, LIMITS));
    const runs = ['ada', 'ada', 'ada', 'bob'].map(start);
    assert.deepEqual(started, ['ada']);
    for (let left = 4; left > 0; left -= 1) await endNext();
    assert.deepEqual(started, ['ada', 'ada', 'bob', 'ada']);
    for (const [at, owner] of ['ada', 'ada', 'ada', 'bob'].entries()) assert.equal(await runs[at], owner);
  });

  it('refuses a run that has no room, without running it', async () => {
    const { started, start, endNext } = openRuns(new FairSemaphore(1, LIMITS));
    const runs = ['ada', 'ada', 'ada', 'ada', 'ada', 'bob', 'cyd'].map(start);
    // One runs, three of ada and one of bob wait.
    const found = runs.map((run) => run !== undefined);
    assert.deepEqual(found, [true, true, true, true, false, true, false]);
    for (let left = 5; left > 0; left -= 1) await endNext();
    assert.equal(started.length, 5);
  });

  it('frees the slot of work that fails', async () => {
    const semaphore = new FairSemaphore(1, LIMITS);
    const failing = semaphore.run('ada', () => Promise.reject(new Error('broken')));
    const next = semaphore.run('bob', () => Promise.resolve('done'));
    await assert.rejects(failing ?? Promise.resolve(), /broken/);
    assert.equal(await next, 'done');
    assert.equal(await semaphore.run('ada', () => Promise.resolve('again')), 'again');
  });
});
