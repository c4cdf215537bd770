import assert from 'node:assert/strict';
import { backoffMs, createBackoff, jitteredBackoffMs } from '../../src/lib/backoff.js';

const LIMITS = { firstMs: 5_000, maxMs: 60_000 };

describe('createBackoff', () => {
  it('doubles the delay from the first one up to the maximum, and resets after a success', () => {
    const backoff = createBackoff(LIMITS);
    const delays = Array.from({ length: 6 }, () => backoff.next());
    assert.deepEqual(delays, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    backoff.reset();
    assert.equal(backoff.next(), 5_000);
  });
});

describe('backoffMs', () => {
  it('stays at the maximum after any number of failures', () => {
    const found = [1, 5, 100, 5_000].map((failures) => backoffMs(failures, LIMITS));
    assert.deepEqual(found, [5_000, 60_000, 60_000, 60_000]);
  });
});

describe('jitteredBackoffMs', () => {
  it('returns a delay between the first one and twice the delay without jitter', () => {
    const ends = (failures: number) =>
      [0, 1].map((random) => jitteredBackoffMs(failures, LIMITS, () => random));
    assert.deepEqual(ends(1), [5_000, 10_000]);
    assert.deepEqual(ends(3), [5_000, 40_000]);
    assert.deepEqual(ends(50), [5_000, 60_000]);
  });
});
