import assert from 'node:assert/strict';
import { createBackoff } from '../../../src/core/lib/backoff.js';

describe('createBackoff', () => {
  it('doubles the delay from five seconds up to a minute and resets after a success', () => {
    const backoff = createBackoff();
    const pauses = Array.from({ length: 6 }, () => backoff.next());
    assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    backoff.reset();
    assert.equal(backoff.next(), 5_000);
  });
});
