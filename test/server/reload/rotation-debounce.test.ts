import assert from 'node:assert/strict';
import { createRotationDebounce } from '../../../src/server/reload/config-reloader.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

function setUp() {
  const scheduler = createFakeScheduler();
  const passed: string[] = [];
  const pace = createRotationDebounce(scheduler, (names) => passed.push([...names].join(' ')));
  return { scheduler, passed, pace };
}

describe('the pace of rotations', () => {
  it('passes an adapter on at once, and again no sooner than half a minute later', async () => {
    const { scheduler, passed, pace } = setUp();
    pace.add(new Set(['a']));
    pace.add(new Set(['a', 'b']));
    assert.deepEqual(passed, ['a', 'b']);
    await scheduler.pass(29_999);
    assert.deepEqual(passed, ['a', 'b']);
    await scheduler.pass(1);
    assert.deepEqual([passed, scheduler.next()], [['a', 'b', 'a'], undefined]);
  });

  it('keeps what comes again and again to one for each half minute', async () => {
    const { scheduler, passed, pace } = setUp();
    for (let second = 0; second < 60; second += 1) {
      pace.add(new Set(['a']));
      await scheduler.pass(1_000);
    }
    assert.equal(passed.length, 3);
  });

  it('goes on after the clock was set back (bug: it stopped for as long)', () => {
    const { scheduler, passed, pace } = setUp();
    pace.add(new Set(['a']));
    scheduler.set(-3_600_000);
    pace.add(new Set(['a']));
    assert.deepEqual(passed, ['a', 'a']);
  });

  it('ends with the server', async () => {
    const { scheduler, passed, pace } = setUp();
    pace.add(new Set(['a']));
    pace.add(new Set(['a']));
    await pace.close();
    await scheduler.pass(60_000);
    assert.deepEqual(passed, ['a']);
  });
});
