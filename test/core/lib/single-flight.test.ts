import assert from 'node:assert/strict';
import { singleFlight } from '../../../src/core/lib/single-flight.js';

describe('singleFlight', () => {
  it('runs at most the limit concurrently, in order, and continues after a failure', async () => {
    const started: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    const work = singleFlight(
      (name: string) => {
        started.push(name);
        return new Promise<string>((resolve, reject) =>
          ends.set(name, (error) => {
            if (error) reject(error);
            else resolve(name);
          }),
        );
      },
      { keyOf: (name) => name, limit: 2 },
    );
    const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(work));
    assert.deepEqual(started, ['a', 'b']);
    ends.get('b')?.(new Error('no'));
    await new Promise(setImmediate);
    assert.deepEqual(started, ['a', 'b', 'c']);
    ends.get('a')?.();
    ends.get('c')?.();
    await new Promise(setImmediate);
    ends.get('d')?.();
    assert.deepEqual(
      (await all).map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
  });

  it('shares the result among concurrent calls with the same key and runs again afterwards', async () => {
    let runs = 0;
    const work = singleFlight(() => Promise.resolve((runs += 1)), { keyOf: () => 'same', limit: 1 });
    assert.deepEqual(await Promise.all([work(1), work(2)]), [1, 1]);
    assert.equal(await work(3), 2);
  });
});
