import assert from 'node:assert/strict';
import { createRotationDebounce } from '../../../src/server/reload/config-reloader.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

function setUp() {
  const scheduler = createFakeScheduler();
  const passed: string[] = [];
  const pace = createRotationDebounce(scheduler, (names) => passed.push([...names].join(' ')));
  return { scheduler, passed, pace };
}

describe('createRotationDebounce', () => {
  it('passes an adapter on immediately, and again after 30 seconds at the earliest', async () => {
    const { scheduler, passed, pace } = setUp();
    pace.add(new Set(['a']));
    pace.add(new Set(['a', 'b']));
    assert.deepEqual(passed, ['a', 'b']);
    await scheduler.pass(29_999);
    assert.deepEqual(passed, ['a', 'b']);
    await scheduler.pass(1);
    assert.deepEqual([passed, scheduler.next()], [['a', 'b', 'a'], undefined]);
  });

  it('passes repeated rotations on once per 30 seconds', async () => {
    const { scheduler, passed, pace } = setUp();
    for (let second = 0; second < 60; second += 1) {
      pace.add(new Set(['a']));
      await scheduler.pass(1_000);
    }
    assert.equal(passed.length, 3);
  });

  it('continues after the clock is set back (bug: it paused for the same time)', () => {
    const { scheduler, passed, pace } = setUp();
    pace.add(new Set(['a']));
    scheduler.set(-3_600_000);
    pace.add(new Set(['a']));
    assert.deepEqual(passed, ['a', 'a']);
  });

  it('passes nothing on after close()', async () => {
    const { scheduler, passed, pace } = setUp();
    pace.add(new Set(['a']));
    pace.add(new Set(['a']));
    await pace.close();
    await scheduler.pass(60_000);
    assert.deepEqual(passed, ['a']);
  });
});
