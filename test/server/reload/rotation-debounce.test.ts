import assert from 'node:assert/strict';
import { createRotationDebounce } from '../../../src/server/reload/config-reloader.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

function setUp() {
  const scheduler = createFakeScheduler();
  const passed: string[] = [];
  const debounce = createRotationDebounce(scheduler, (names) => passed.push([...names].join(' ')));
  return { scheduler, passed, debounce };
}

describe('createRotationDebounce', () => {
  it('passes an adapter on immediately, and again after 30 seconds at the earliest', async () => {
    const { scheduler, passed, debounce } = setUp();
    debounce.add(new Set(['a']));
    debounce.add(new Set(['a', 'b']));
    assert.deepEqual(passed, ['a', 'b']);
    await scheduler.pass(29_999);
    assert.deepEqual(passed, ['a', 'b']);
    await scheduler.pass(1);
    assert.deepEqual([passed, scheduler.next()], [['a', 'b', 'a'], undefined]);
  });

  it('passes repeated rotations on once per 30 seconds', async () => {
    const { scheduler, passed, debounce } = setUp();
    for (let second = 0; second < 60; second += 1) {
      debounce.add(new Set(['a']));
      await scheduler.pass(1_000);
    }
    assert.equal(passed.length, 3);
  });

  it('continues after the clock is set back (bug: it paused for the same time)', () => {
    const { scheduler, passed, debounce } = setUp();
    debounce.add(new Set(['a']));
    scheduler.set(-3_600_000);
    debounce.add(new Set(['a']));
    assert.deepEqual(passed, ['a', 'a']);
  });

  it('passes nothing on after close()', async () => {
    const { scheduler, passed, debounce } = setUp();
    debounce.add(new Set(['a']));
    debounce.add(new Set(['a']));
    await debounce.close();
    await scheduler.pass(60_000);
    assert.deepEqual(passed, ['a']);
  });
});
