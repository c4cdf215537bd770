import assert from 'node:assert/strict';
import { createUnknownKeys } from '../../src/auth/jwks.js';
import { Problem } from '../../src/core/problem.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

describe('createUnknownKeys', () => {
  it('runs one fetch for all tokens that wait, and refuses further tokens with 503', async () => {
    const scheduler = createFakeScheduler();
    const keys = createUnknownKeys(scheduler);
    let fetches = 0;
    const fetch = (): Promise<void> => {
      fetches += 1;
      return Promise.resolve();
    };
    for (let at = 0; at < 5; at += 1) await keys.nextFetch(fetch);
    const waiting = Array.from({ length: 500 }, () => keys.nextFetch(fetch));
    await assert.rejects(keys.nextFetch(fetch), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.status, error.extras.headers], [503, { 'retry-after': '2' }]);
      return true;
    });
    assert.equal(fetches, 5);
    await scheduler.pass(2_000);
    await Promise.all(waiting);
    assert.equal(fetches, 6);
    await scheduler.pass(1_999);
    const late = keys.nextFetch(fetch);
    assert.equal(fetches, 6);
    await scheduler.pass(1);
    await late;
    assert.equal(fetches, 7);
  });

  it('doubles the time of an absent key id, once for all tokens that waited together', async () => {
    const scheduler = createFakeScheduler();
    const keys = createUnknownKeys(scheduler);
    const absentFor = async (): Promise<number> => {
      for (let at = 0; at < 20; at += 1) keys.noteAbsent('a');
      let seconds = 0;
      for (; keys.isAbsent('a'); seconds += 1) await scheduler.pass(1_000);
      return seconds;
    };
    assert.equal(keys.isAbsent('a'), false);
    assert.deepEqual([await absentFor(), await absentFor(), await absentFor()], [1, 2, 4]);
    for (let at = 0; at < 5; at += 1) await absentFor();
    assert.equal(await absentFor(), 60);
    keys.noteAbsent('a');
    keys.reset();
    assert.equal(keys.isAbsent('a'), false);
    assert.equal(await absentFor(), 1);
  });

  it('ends the waits on close', async () => {
    const keys = createUnknownKeys(createFakeScheduler());
    for (let at = 0; at < 5; at += 1) await keys.nextFetch(() => Promise.resolve());
    const waiting = keys.nextFetch(() => Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    keys.close();
    await waiting;
  });
});
