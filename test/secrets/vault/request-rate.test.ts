import assert from 'node:assert/strict';
import { RequestRate } from '../../../src/secrets/vault/request-rate.js';

describe('the rate of requests to Vault', () => {
  let now = 0;
  let rate = new RequestRate({ now: () => now }, () => 0.5);
  beforeEach(() => {
    now = 1_000_000;
    rate = new RequestRate({ now: () => now }, () => 0.5);
  });
  const waits = (count: number): readonly number[] =>
    Array.from({ length: count }, () => Math.round(rate.reserve().waitMs));

  it('has no limit until Vault refuses a request', () => {
    assert.deepEqual(waits(100), Array(100).fill(0));
  });

  it('waits as long as Vault asks for, and then sends one request a second if Vault served none', () => {
    assert.equal(rate.noteRefused(rate.reserve(), 7_000), 7_000);
    assert.deepEqual(waits(3), [7_000, 8_000, 9_000]);
  });

  it('is somewhat below the rate that Vault served, and is lowered once by requests that were sent together', () => {
    const turns = Array.from({ length: 8 }, () => rate.reserve());
    for (let served = 0; served < 5; served += 1) rate.noteServed();
    for (const turn of turns.slice(5)) assert.equal(rate.noteRefused(turn, undefined), 750);
    assert.deepEqual(waits(3), [750, 1_000, 1_250]);
  });

  it('pauses longer after each refusal without Retry-After', () => {
    const pauses = [1, 2, 3].map(() => rate.noteRefused(rate.reserve(), undefined));
    assert.deepEqual(pauses, [750, 1_250, 2_250]);
    rate.noteServed();
    assert.equal(rate.noteRefused(rate.reserve(), undefined), 750);
  });

  it('doubles every ten seconds, and has no limit after a minute', () => {
    rate.noteRefused(rate.reserve(), 0);
    now += 10_000;
    assert.deepEqual(waits(3), [0, 500, 1_000]);
    now += 50_000;
    assert.deepEqual(waits(3), [0, 0, 0]);
  });

  it('does not wait longer after the clock is set back (bug: every request waited as long as the step)', () => {
    rate.noteRefused(rate.reserve(), 7_000);
    now -= 500_000;
    assert.deepEqual(waits(2), [7_000, 0]);
  });

  it('reads 40 secrets under a quota of 5 a second with few refusals', () => {
    const begun = now;
    let [left, refusals, window, servedInWindow] = [40, 0, 0, 0];
    while (left > 0) {
      const turn = rate.reserve();
      now += turn.waitMs;
      const second = Math.floor(now / 1_000);
      if (second !== window) [window, servedInWindow] = [second, 0];
      if (servedInWindow < 5) {
        servedInWindow += 1;
        left -= 1;
        rate.noteServed();
      } else {
        refusals += 1;
        rate.noteRefused(turn, undefined);
      }
    }
    assert.ok(now - begun < 16_000, `it took ${now - begun} ms`);
    assert.ok(refusals < 8, `${refusals} refusals`);
  });
});
