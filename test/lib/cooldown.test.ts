import assert from 'node:assert/strict';
import { createCooldown } from '../../src/lib/cooldown.js';

describe('createCooldown', () => {
  it('permits one action per period and returns the remaining milliseconds', () => {
    let now = 1_000_000;
    const mayGo = createCooldown({ now: () => now }, 10_000);
    assert.equal(mayGo(), 0);
    assert.equal(mayGo(), 10_000);
    now += 9_999;
    assert.equal(mayGo(), 1);
    now += 1;
    assert.equal(mayGo(), 0);
    assert.equal(mayGo(), 10_000);
  });

  it('is not extended when the clock is set back', () => {
    let now = 1_000_000;
    const mayGo = createCooldown({ now: () => now }, 10_000);
    mayGo();
    now = 5_000;
    assert.deepEqual([mayGo(), mayGo()], [0, 10_000]);
  });

  it('limits each key by itself', () => {
    const waitMs = createCooldown({ now: () => 1_000_000 }, 10_000);
    assert.deepEqual([waitMs('a'), waitMs('b'), waitMs('a')], [0, 0, 10_000]);
  });
});
