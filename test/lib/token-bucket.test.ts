import assert from 'node:assert/strict';
import { createTokenBucket } from '../../src/lib/token-bucket.js';

describe('createTokenBucket', () => {
  const clock = { time: 0, now: () => clock.time };
  const open = () => createTokenBucket(clock, { capacity: 3, refillMs: 1000 });

  it('permits a burst, and one run per interval afterwards', () => {
    const bucket = open();
    assert.deepEqual([bucket.take(), bucket.take(), bucket.take(), bucket.take()], [0, 0, 0, 1000]);
    clock.time += 400;
    assert.equal(bucket.take(), 600);
    clock.time += 600;
    assert.deepEqual([bucket.take(), bucket.take()], [0, 1000]);
  });

  it('holds at most its capacity', () => {
    const bucket = open();
    clock.time += 60_000;
    assert.deepEqual([bucket.take(), bucket.take(), bucket.take(), bucket.take()], [0, 0, 0, 1000]);
  });

  it('permits a burst again after fill', () => {
    const bucket = open();
    for (let at = 0; at < 4; at += 1) bucket.take();
    bucket.fill();
    assert.equal(bucket.take(), 0);
  });

  it('permits runs after the clock was set back', () => {
    clock.time = 100_000;
    const bucket = open();
    for (let at = 0; at < 4; at += 1) bucket.take();
    clock.time = 0;
    assert.equal(bucket.take(), 0);
  });
});
